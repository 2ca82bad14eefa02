package dev.sluice.samples.documents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.JavaHome;
import dev.sluice.samples.PackagedSamples;
import dev.sluice.samples.Patience;
import dev.sluice.samples.Repository;
import dev.sluice.samples.SampleProcess;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What other projects get: artifacts that are the same whoever builds them, and on which a project that knows nothing
 * of this one, made of what the README shows, builds and runs.
 */
@EnabledOnOs(OS.LINUX)
@Tag(PackagedSamples.TAG)
@Tag("acceptance")
class InstalledArtifactsTest {

    /** As the README has them. */
    static final String INSTALL = "mvn install -DskipTests";
    static final String PACKAGE = "mvn package -DskipTests";

    private static final Pattern XML_BLOCK = Pattern.compile("(?ms)^```xml\\R(.*?)^```\\s*$");
    private static final Pattern PROGRAM =
            Pattern.compile("(?ms)^```java\\R(package (\\S+);.*?class (\\w+) .*?)^```\\s*$");
    private static final String PACKAGE_NAME = "dev.sluice.samples.first";

    @TempDir
    private static Path directory;

    private static String readme;
    private static SourceTree installed;
    private static SourceTree onTheClassPath;
    private static SourceTree onTheModulePath;

    @BeforeAll
    static void buildAForeignProject() throws Exception {
        readme = Files.readString(Repository.root().resolve("README.md"));
        Path localRepository = directory.resolve("repository");
        installed = SourceTree.copyOfThis(directory.resolve("installed"), localRepository);
        LongProcess.run(installed.shell(INSTALL));
        onTheClassPath = foreignProject("class-path", localRepository);
        onTheClassPath.write("src/test/java/foreign/OpenTest.java", """
                package foreign;

                import dev.sluice.reactor.Reactor;
                import org.junit.jupiter.api.Test;

                class OpenTest {
                    @Test
                    void opens() throws Exception {
                        Reactor.open().close();
                    }
                }
                """);
        onTheModulePath = foreignProject("module-path", localRepository);
        onTheModulePath.write("src/main/java/module-info.java", "module foreign {\n    " + shown("requires [\\w.]+;")
                + "\n}\n");
        for (SourceTree project : List.of(onTheClassPath, onTheModulePath)) {
            String said = LongProcess.run(project.shell("mvn package dependency:copy-dependencies"));
            assertFalse(said.contains("called by dev.sluice"), said);
        }
    }

    @AfterAll
    static void removeLinks() throws IOException {
        for (SourceTree tree : new SourceTree[] {installed, onTheClassPath, onTheModulePath}) {
            if (tree != null) {
                tree.close();
            }
        }
    }

    /** {@return what the README shows in code spans, the one thing of this form} */
    private static String shown(String form) {
        Set<String> found = Pattern.compile("`(" + form + ")`").matcher(readme).results()
                .map(match -> match.group(1)).collect(Collectors.toSet());
        assertEquals(1, found.size(), () -> form + " in the README: " + found);
        return found.iterator().next();
    }

    /** Of the programs and the dependencies in the README; only the versions of plugins are this project's. */
    private static SourceTree foreignProject(String name, Path localRepository) throws IOException {
        SourceTree project = new SourceTree(directory.resolve(name), localRepository);
        Matcher dependencies = XML_BLOCK.matcher(readme);
        assertTrue(dependencies.find(), "no dependencies in the README");
        String own = Files.readString(Repository.root().resolve("pom.xml"));
        StringBuilder plugins = new StringBuilder();
        for (String plugin : List.of("resources", "compiler", "dependency")) {
            plugins.append(plugin(own, plugin, ""));
        }
        plugins.append(plugin(own, "surefire",
                "<configuration>" + shown("<argLine>.*</argLine>") + "</configuration>"));
        plugins.append(plugin(own, "jar", "<configuration><archive><manifest><addClasspath>true</addClasspath>"
                + "<classpathPrefix>dependency/</classpathPrefix><mainClass>" + PACKAGE_NAME + ".FirstProgram"
                + "</mainClass></manifest><manifestEntries><Enable-Native-Access>"
                + shown("Enable-Native-Access: [\\w-]+").replaceFirst(".*: ", "")
                + "</Enable-Native-Access></manifestEntries></archive></configuration>"));
        project.write("pom.xml", """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                    <modelVersion>4.0.0</modelVersion>
                    <groupId>foreign</groupId>
                    <artifactId>foreign</artifactId>
                    <version>1</version>
                    <properties>
                        <maven.compiler.release>17</maven.compiler.release>
                        <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
                    </properties>
                    <dependencies>
                %s
                        <dependency>
                            <groupId>org.junit.jupiter</groupId>
                            <artifactId>junit-jupiter</artifactId>
                            <version>%s</version>
                            <scope>test</scope>
                        </dependency>
                    </dependencies>
                    <build><plugins>
                %s
                    </plugins></build>
                </project>
                """.formatted(dependencies.group(1), property(own, "junit.version"), plugins));
        for (MatchResult program : PROGRAM.matcher(readme).results().toList()) {
            assertEquals(PACKAGE_NAME, program.group(2));
            project.write("src/main/java/" + PACKAGE_NAME.replace('.', '/') + "/" + program.group(3) + ".java",
                    program.group(1));
        }
        return project;
    }

    private static String plugin(String pom, String name, String configuration) {
        return "<plugin><artifactId>maven-" + name + "-plugin</artifactId><version>"
                + property(pom, name + ".plugin.version") + "</version>" + configuration + "</plugin>\n";
    }

    private static String property(String pom, String name) {
        Matcher value = Pattern.compile("<" + name + ">(.*)</" + name + ">").matcher(pom);
        assertTrue(value.find(), name);
        return value.group(1);
    }

    @Test
    void twoBuildsGiveTheSameJars() throws Exception {
        try (SourceTree again = SourceTree.copyOfThis(directory.resolve("another place/again"),
                directory.resolve("another-repository"))) {
            // Archives keep whether others may read a file, but not whether the group may write it.
            ProcessBuilder build = again.shell("umask 002; " + PACKAGE);
            build.environment().put("TZ", "Pacific/Auckland");
            build.environment().put("LC_ALL", "C");
            LongProcess.run(build);
            Set<String> jars = installed.jars();
            assertTrue(jars.stream().anyMatch(jar -> jar.contains("sluice-java-api")), jars::toString);
            assertEquals(jars, again.jars());
            List<String> different = new ArrayList<>();
            for (String jar : jars) {
                if (Files.mismatch(installed.root().resolve(jar), again.root().resolve(jar)) >= 0) {
                    different.add(jar);
                }
            }
            assertEquals(List.of(), different);
        }
    }

    /** What the launcher leaves out is still there from a build that left out nothing. */
    @Test
    void theLauncherBuildsAnewWhereTheTestsWereBuilt() throws Exception {
        // The contents stay, so that the jars do, whichever test comes first.
        Files.setLastModifiedTime(installed.root().resolve("native/calls/src/main/java/module-info.java"),
                FileTime.from(Instant.now()));
        String said = LongProcess.run(installed.shell("./sluice doctor"));
        assertTrue(said.contains("sluice: building") && said.contains("BINDING"), said);
        assertFalse(said.contains("the build failed"), said);
    }

    static Stream<JavaHome> javaHomes() {
        return JavaHome.all().stream();
    }

    @ParameterizedTest
    @MethodSource("javaHomes")
    void runsOnTheClassPath(JavaHome java) throws Exception {
        for (String program : List.of("FirstProgram", "FirstProactor")) {
            assertEchoes(java, onTheClassPath, shown("--enable-native-access=ALL-UNNAMED"), "-cp",
                    "target/classes" + File.pathSeparator + "target/dependency/*", PACKAGE_NAME + "." + program);
        }
    }

    @ParameterizedTest
    @MethodSource("javaHomes")
    void runsOnTheModulePath(JavaHome java) throws Exception {
        for (String program : List.of("FirstProgram", "FirstProactor")) {
            assertEchoes(java, onTheModulePath, shown("--enable-native-access=dev[\\w.,]+"), "-p",
                    "target/classes" + File.pathSeparator + "target/dependency", "-m",
                    "foreign/" + PACKAGE_NAME + "." + program);
        }
    }

    @ParameterizedTest
    @MethodSource("javaHomes")
    void runsAsAnExecutableJar(JavaHome java) throws Exception {
        assertEchoes(java, onTheClassPath, "", "-jar", "target/foreign-1.jar");
    }

    /** Without a word but that of slf4j, which was given no backend, and on the better binding for this Java. */
    private static void assertEchoes(JavaHome java, SourceTree project, String access, String... main)
            throws Exception {
        InetSocketAddress address = freeAddress();
        List<String> command = new ArrayList<>(List.of(java.executable(), "-Dport=" + address.getPort()));
        // The README: Java 17 needs no such option.
        if (java.hasForeignFunctions() && !access.isEmpty()) {
            command.add(access);
        }
        command.addAll(List.of(main));
        ProcessBuilder builder = new ProcessBuilder(command).directory(project.root().toFile());
        try (SampleProcess running = SampleProcess.start(builder)) {
            Patience.until(() -> "it echoes: " + running.errors().text(), () -> echoes(running, address));
            boolean jna = Files.readString(Path.of("/proc", Long.toString(running.pid()), "maps")).contains("/jna");
            assertEquals(!java.hasForeignFunctions(), jna);
            running.terminate();
            running.awaitExit();
            assertEquals(List.of(),
                    running.errors().lines().stream().filter(line -> !line.startsWith("SLF4J")).toList());
        }
    }

    private static boolean echoes(SampleProcess running, InetSocketAddress address) throws IOException {
        assertTrue(running.isAlive(), () -> running.errors().text());
        try (Socket socket = new Socket()) {
            socket.connect(address);
            socket.setSoTimeout((int) Patience.LIMIT.toMillis());
            socket.getOutputStream().write("hello".getBytes(UTF_8));
            assertArrayEquals("hello".getBytes(UTF_8), socket.getInputStream().readNBytes(5));
            return true;
        } catch (ConnectException e) {
            return false;
        }
    }

    private static InetSocketAddress freeAddress() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return new InetSocketAddress("127.0.0.1", socket.getLocalPort());
        }
    }
}
