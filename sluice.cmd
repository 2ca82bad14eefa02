@echo off
rem Starts a sample, or the benchmarks, and builds first what is missing or out of date: sluice --help
rem
rem   SLUICE_JAVA_HOME   the Java to run on, and to build with from 22 on, instead of the one this script would choose
rem   JAVA25_HOME        the same, but for a Java 22 or newer only, and SLUICE_JAVA_HOME comes first
rem   SLUICE_JAVA_OPTS   options for it, e.g. -Dsluice.native=jna -Xmx1g
rem   SLUICE_MODULES     further modules, such as one with services for web: jars, or folders of them, as in a module path
rem
rem Standard output belongs to the sample alone: whatever is said here goes to standard error.
rem No delayed expansion: it would eat the exclamation marks in the sample's arguments.
setlocal EnableExtensions DisableDelayedExpansion

rem Java takes what follows in the path of a jar for a name inside of it.
set "root=%~dp0"
if not "%root:!\=%"=="%root%" (
    echo sluice: Java cannot run from a folder whose name ends in an exclamation mark; rename it: "%root%">&2
    exit /b 1
)
set "module=samples/servers"
set "products=%~dp0samples\servers\target\modules"
if "%~1"=="bench" set "products="
if "%~1"=="seda" set "products="
if not defined products (
    set "module=samples/benchmarks"
    set "products=%~dp0samples\benchmarks\target\class-path"
)
rem Java itself opens longer ones. This comes before cmd meets one, of which Wine would say so, too.
set "stamp=%products%\.built"
if not "%stamp:~0,259%"=="%stamp%" (
    echo sluice: the path of this folder is too long for cmd, which opens no file beyond 259 characters; move it: "%root%">&2
    exit /b 1
)
rem One for all builds, because that of the benchmarks builds the samples, too.
set "lock=%~dp0samples\servers\target\launcher.lock"
set "home="
set "feature=0"

if defined SLUICE_JAVA_HOME (
    call :consider "%SLUICE_JAVA_HOME%"
    goto chosen
)
if defined JAVA25_HOME call :consider "%JAVA25_HOME%"
if %feature% GEQ 22 goto chosen
set "home="
set "feature=0"
if defined JAVA_HOME call :consider "%JAVA_HOME%"
call :consider_each "%ProgramFiles%\Eclipse Adoptium"
call :consider_each "%ProgramFiles%\Java"
call :consider_each "%ProgramFiles%\Microsoft"
call :consider_each "%USERPROFILE%\.jdks"
for %%d in ("%PATH:;=" "%") do call :consider "%%~d\.."

:chosen
if defined home goto found
if defined SLUICE_JAVA_HOME (
    echo sluice: SLUICE_JAVA_HOME is not a Java 17 or newer: "%SLUICE_JAVA_HOME%">&2
) else (
    echo sluice: needs a Java 17 or newer ^(25 is best^) and found none: install one, or point SLUICE_JAVA_HOME at it>&2
)
exit /b 1

:found
if "%module%"=="samples/servers" goto chosen_for_module
if %feature% GEQ 22 goto chosen_for_module
echo sluice: %~1 needs a Java 22 or newer, and this is %feature%: point SLUICE_JAVA_HOME at one>&2
exit /b 1

:chosen_for_module
call :outdated
if not errorlevel 1 goto built
set "maven="
for %%m in (mvn.cmd mvn.bat mvn.exe) do if not "%%~$PATH:m"=="" set "maven=found"
if not defined maven (
    echo sluice: has to be built first, and that takes Maven, which is not on the PATH>&2
    exit /b 1
)
call :take_lock
if errorlevel 2 goto unwritable
if errorlevel 1 exit /b 1
rem Another launch may have built it while this one waited for the lock.
call :outdated
if not errorlevel 1 goto release
echo sluice: building, once, which takes a minute or two the first time>&2
if %feature% GEQ 22 set "JAVA25_HOME=%home%"
pushd "%~dp0"
rem Which module Maven has come to, and what goes wrong; nothing of what else it says.
set "told=-Dorg.slf4j.simpleLogger.defaultLogLevel=error"
set "told=%told% -Dorg.slf4j.simpleLogger.log.org.apache.maven.cli.event=info"
rem Without the tests, and without what only they need.
call mvn -B %told% -DskipTests -Dmaven.test.skip=true -pl %module% -am package 1>&2
set "failed=%errorlevel%"
popd
rmdir "%lock%"
if not "%failed%"=="0" (
    echo sluice: the build failed>&2
    exit /b 1
)
goto built

:unwritable
if not exist "%products%\.built" (
    echo sluice: has to be built first, and this user may not write to "%~dp0samples\servers\target">&2
    exit /b 1
)
echo sluice: running an outdated build: this user may not write a new one to "%~dp0samples\servers\target">&2
goto built

:release
rmdir "%lock%"

:built
if not "%module%"=="samples/servers" goto bench
rem Unasked, 24 and newer warn of every native access. Before 22 only JNA is used, and nothing warns of that.
set "native="
if %feature% GEQ 22 set "native=--enable-native-access=dev.sluice.ffm,com.sun.jna,org.xerial.sqlitejdbc"
call :choose_cache
set "fast="
rem Where Java cannot use the file, it says so on standard output and starts as without it; that goes for a damaged one
rem too, if it has to verify what it maps. What the user wants to be told comes later and counts more.
if defined cache set fast="-XX:AOTCache=%cache%" -XX:+VerifySharedSpaces ^
    -Xlog:disable -Xlog:all=warning:stderr -Xlog:aot*=off:stderr -Xlog:cds*=off:stderr
set "path_of_modules=%products%"
if defined SLUICE_MODULES set "path_of_modules=%products%;%SLUICE_MODULES%"
"%home%\bin\java.exe" %native% %fast% %SLUICE_JAVA_OPTS% ^
    -p "%path_of_modules%" -m dev.sluice.samples/dev.sluice.samples.Main %*
exit /b %errorlevel%

:bench
rem JMH uses what 24 and newer warn of.
set "unsafe="
if %feature% GEQ 24 set "unsafe=--sun-misc-unsafe-memory-access=allow"
"%home%\bin\java.exe" --enable-native-access=ALL-UNNAMED %unsafe% %SLUICE_JAVA_OPTS% -cp "%products%\*" dev.sluice.benchmarks.Main %*
exit /b %errorlevel%

rem Sets cache to the file that makes the start of this Java fast, or to nothing. Java itself looks whether it has made the
rem file, and of these modules. They lie together, so that a build takes the file away. An empty one says that none could
rem be made. Before 25 Java makes none of this kind, or needs other options; with two of them it would not start.
:choose_cache
set "cache="
if %feature% LSS 25 exit /b 0
rem Made without further modules, it does not suit them.
if defined SLUICE_MODULES exit /b 0
set own=%SLUICE_JAVA_OPTS% %JDK_JAVA_OPTIONS% %JAVA_TOOL_OPTIONS%
set "own=%own:"=%"
if not "%own:AOT=%"=="%own%" exit /b 0
if not "%own:Archive=%"=="%own%" exit /b 0
if not "%own:Xshare=%"=="%own%" exit /b 0
set "cache=%products%\.start-%release%.aot"
if not exist "%cache%" call :make_cache
set "size=0"
if exist "%cache%" for %%f in ("%cache%") do set "size=%%~zf"
if "%size%"=="0" set "cache="
exit /b 0

rem Makes the file under another name first, so that it is there as a whole or not at all. Whatever goes wrong, the sample
rem starts without it.
:make_cache
set "making=%products%\.making-%RANDOM%"
type nul >"%making%" 2>nul
if not exist "%making%" exit /b 0
echo sluice: making the next starts faster, once, which takes some seconds>&2
set rehearsal=-p "%products%" -m dev.sluice.samples/dev.sluice.samples.Rehearsal
"%home%\bin\java.exe" %native% -XX:AOTMode=record "-XX:AOTConfiguration=%making%.rehearsal" %rehearsal% <nul >nul 2>nul
if errorlevel 1 goto made
"%home%\bin\java.exe" %native% -XX:AOTMode=create "-XX:AOTConfiguration=%making%.rehearsal" ^
    "-XX:AOTCache=%making%" %rehearsal% <nul >nul 2>nul
if errorlevel 1 type nul >"%making%" 2>nul
:made
del "%making%.rehearsal" 2>nul
move /y "%making%" "%cache%" >nul 2>nul
exit /b 0

rem Keeps the home %1 if it is better than the best so far: 25 is what Sluice is tuned and tested on, else the newest.
:consider
if not exist "%~1\bin\java.exe" exit /b 0
if not exist "%~1\release" exit /b 0
set "version=0"
set "candidate=0"
rem Without a tilde in the loop: Wine applies it to the line of the modules as well, which is too long for that.
for /f "usebackq tokens=1,2 delims==" %%k in ("%~1\release") do if "%%k"=="JAVA_VERSION" set version=%%l
set "version=%version:"=%"
for /f "tokens=1 delims=.-+_" %%f in ("%version%") do set "candidate=%%f"
if %candidate% LSS 17 exit /b 0
if %feature% EQU 25 exit /b 0
if %candidate% NEQ 25 if %candidate% LEQ %feature% exit /b 0
set "home=%~1"
set "feature=%candidate%"
set "release=%version%"
exit /b 0

rem Keeps the best of the homes in the directory %1. Goes there, as Wine finds nothing by a pattern in quotation marks.
:consider_each
if not exist "%~1\*" exit /b 0
pushd "%~1"
for /d %%d in (*) do call :consider "%~1\%%d"
popd
exit /b 0

rem Fails if something is newer than what is built. The times of files cannot be compared here, but the samples know how
rem to; a build that is too old to have the class has to be made anew anyway.
:outdated
if not exist "%products%\.built" exit /b 1
"%home%\bin\java.exe" -XX:TieredStopAtLevel=1 -cp "%products%\*" dev.sluice.samples.Freshness ^
    "%~dp0." "%products%\.built" %module% <nul >nul 2>nul
if errorlevel 1 exit /b 1
exit /b 0

rem Making a directory is the one step that succeeds for a single process. A build takes minutes at most. Fails with 2 if
rem the directory cannot be made and is not there either, five times: its owner may have removed it just now. Looks every
rem five seconds.
:take_lock
if not exist "%~dp0samples\servers\target" mkdir "%~dp0samples\servers\target" 2>nul
set "patience=120"
set "attempts=5"
:try_lock
mkdir "%lock%" 2>nul
if not errorlevel 1 exit /b 0
set "kind="
for %%d in ("%lock%") do set "kind=%%~ad"
if "%kind:~0,1%"=="d" goto wait_for_lock
set /a attempts-=1
if %attempts% LEQ 0 exit /b 2
goto try_lock
:wait_for_lock
set "attempts=5"
if %patience% EQU 120 echo sluice: waiting for another launch, which is building>&2
set /a patience-=1
if %patience% LEQ 0 (
    echo sluice: another launch has been building for ten minutes; if there is none, remove "%lock%">&2
    exit /b 1
)
ping -n 6 127.0.0.1 >nul
goto try_lock
