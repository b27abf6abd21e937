/** Passwords of eight characters and more that guessing begins with, in lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `password password1 password12 password123 password1234 password! password1! password123! p@ssword p@ssw0rd p@ssw0rd1
  p@ssword1 p@ssw0rd123 passw0rd passw0rd1 passw0rd! pa$$word pa$$w0rd passwort passwort1 passwort123 motdepasse
  contrasena contraseña wachtwoord 1234567890 123456789 1234567891 12345678910 123456789a 123456789q 1234567a 12345678a
  a12345678 a123456789 q1w2e3r4 q1w2e3r4t5 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 qazwsxedc
  qazwsx123 zaq12wsx zaq1xsw2 zaq1zaq1 !qaz2wsx 1qaz@wsx qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345
  qwerty123456 qwer1234 qwerqwer qweasdzxc qweasd123 asdfghjk asdfghjkl asdf1234 asdfasdf asdasdasd asd123456 zxcvbnm1
  zxcvbnm123 zxcvbnm, qwertzuiop azertyuiop abcd1234 abc12345 abc123456 abcdefg1 abcdefgh1 a1b2c3d4 a1b2c3d4e5 aa123456
  aa12345678 aaa12345 abcabcabc 11112222 11223344 1122334455 112233445566 12121212 12341234 123123123 123321123 123454321
  12344321 123456123 123456654321 12345654321 1234qwer 1234abcd 123qweasd 123qwe123 123abc123 123456abc 123456qwe
  147258369 147852369 159357258 159753456 159753852 13579246 1357924680 19871987 19891989 19841984 20002000 2000200020
  22446688 23456789 31415926 3141592653 314159265 44332211 55667788 741852963 789456123 7894561230 87654321 876543210
  963852741 987654321 9876543210 987654321a 98765432 99887766 010203040506 01020304 0102030405 1029384756 0123456789
  admin123 admin1234 admin12345 admin123456 admin123! admin@123 admin@1234 admin2024 admin2025 admin2026 adminadmin
  admin_admin admin-admin administrator administrator1 administrateur root1234 rootroot root12345 toor1234 superadmin
  superuser superman superman1 sysadmin webmaster manager1 manager123 operator1 operator123 supervisor guest1234 guest123
  testtest test1234 test12345 test123456 testing1 testing123 testuser test@123 tester123 demo1234 demo12345 demodemo
  changeme changeme1 changeme123 changeit changethis default1 default123 letmein1 letmein12 letmein123 letmein! welcome1
  welcome12 welcome123 welcome1! welcome@123 welcome2024 welcome2025 welcome2026 iloveyou iloveyou1 iloveyou2 iloveyou!
  iloveyou12 iloveyou123 ilovegod iloveme1 iloveyousomuch loveyou1 trustno1 sunshine sunshine1 princess princess1 football
  football1 football12 baseball baseball1 basketball basketball1 softball volleyball swimming lacrosse michael1 michelle
  michelle1 jennifer jennifer1 jessica1 charlie1 jonathan christian christopher elizabeth samantha samantha1 danielle
  anthony1 alexander alexander1 alexandra benjamin veronica victoria patricia stephanie sebastian nicholas nathaniel
  brittany isabella cristina carolina fernando francisco alejandro alejandra margarita computer computer1 internet
  internet1 samsung1 samsung123 google123 facebook facebook1 linkedin myspace1 blink182 slipknot metallica metallica1
  liverpool liverpool1 barcelona manchester chelsea1 arsenal1 juventus starwars starwars1 pokemon1 pokemon123 minecraft
  minecraft1 fortnite dragon123 dragonball monkey123 monkey12 shadow123 shadow12 master123 mustang1 corvette porsche1
  mercedes mercedes1 harley123 davidson yamaha123 ferrari1 lamborghini whatever whatever1 nothing1 something anything
  blessed1 jesus123 jesuschrist godisgood heaven123 angel123 angels123 babygirl babygirl1 sweetheart sweetie1 beautiful
  beautiful1 butterfly butterfly1 chocolate chocolate1 strawberry cheesecake pineapple blueberry snickers cupcakes1
  flowers1 rainbow1 rainbow123 fluffy123 midnight midnight1 moonlight moonlight1 snowball diamond1 diamonds treasure
  scorpion scorpion1 creative inuyasha spiderman spiderman1 batman123 ironman123 wolverine godzilla gangster gangster1
  gateway1 gateway123 gateway2 portcullis portcullis1 portcullis123 secret123 secret1234 secretsecret topsecret mysecret
  mypassword mypassword1 mypassw0rd newpassword newpassword1 oldpassword thepassword nopassword yourpassword userpassword
  temp1234 temporary temporary1 temppass temppass1 passpass pass1234 pass12345 pass123456 passpass1 passphrase passcode
  pass@123 pass@1234 pass@word1 user1234 user12345 user123456 username username1 usuario1 login123 login1234 loginlogin
  access14 access123 service1 service123 server123 system123 system32 oracle123 mysql123 postgres postgres1 postgres123
  database database1 database123 cisco123 ubuntu123 debian123 windows1 windows7 windows10 windows123 microsoft vagrant1
  raspberry raspberrypi docker123 kubernetes jenkins1 jenkins123 sample123 example1 example123 company1 company123
  business1 office123 summer2023 summer2024 summer2025 summer2026 winter2023 winter2024 winter2025 winter2026 spring2024
  spring2025 spring2026 autumn2024 autumn2025 autumn2026 monday123 friday123 january1 february september september1
  november november1 december december1 october1 qwaszx12 poiuytrewq lkjhgfdsa mnbvcxz1 0987654321 09876543 0987654321a
  !@#$%^&* !@#$%^&*( !@#$%^&*() !@#$1234 q1w2e3r4t5y6 1a2b3c4d 1a2b3c4d5e 123mudar senha123 senha1234 mudar123 parola123
  haslo123 heslo123 jelszo123 salasana lozinka1 dragon12 dragons1 killer123 hunter123 hunter12 hunter22 tigger12 cookie123
  pepper123 ginger123 summer123 ashley123 thomas123 jordan23 jordan123 freedom1 freedom123 thunder1 thunder123 success1
  success123 awesome1 awesome123 lovelove love1234 lovely123 forever1 forever21 friends1 friends123 family123 mother123
  father123 brother1 correcthorse correcthorsebatterystaple`
    .split(/\s+/)
    .filter((word) => word.length > 0),
);
