package dev.sluice.samples.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A Maven project that knows nothing of this one. Its programs are those of the README; its dependencies and its
 * settings are those that the guide shows; only the versions of the plugins and of JUnit are this project's.
 */
final class ForeignProject {

    /** Of the programs. */
    static final String PACKAGE = "dev.sluice.samples.first";
    /** What the build makes, from the root of the project. */
    static final String JAR = "target/foreign-1.jar";

    private static final Pattern XML_BLOCK = Pattern.compile("(?ms)^```xml\\R(.*?)^```\\s*$");
    private static final Pattern PROGRAM =
            Pattern.compile("(?ms)^```java\\R(package (\\S+);.*?class (\\w+) .*?)^```\\s*$");
    private static final String MAIN_CLASS = "<mainClass>" + PACKAGE + ".FirstProgram</mainClass>";

    private final String ownPom = Files.readString(Repository.root().resolve("pom.xml"));
    private final StringBuilder plugins = new StringBuilder();
    private String dependencies = block("<dependency>");
    private String dependencyManagement = "";
    private String manifest = "";

    /** With dependencies that have versions, and a jar that can be started, once it finds the dependencies. */
    ForeignProject() throws IOException {
        List.of("resources", "compiler", "dependency").forEach(plugin -> addPlugin(plugin, ""));
        addPlugin("surefire", "<configuration>" + shown("<argLine>.*</argLine>") + "</configuration>");
    }

    /** {@return what the guide shows in code spans, the one thing of this form} */
    static String shown(String form) throws IOException {
        Set<String> found = Pattern.compile("`(" + form + ")`").matcher(guide()).results()
                .map(match -> match.group(1)).collect(Collectors.toSet());
        assertEquals(1, found.size(), () -> form + " in the guide: " + found);
        return found.iterator().next();
    }

    /** {@return the one block of XML in the guide that begins like this} */
    private static String block(String beginning) throws IOException {
        List<String> found = XML_BLOCK.matcher(guide()).results().map(match -> match.group(1))
                .filter(block -> block.startsWith(beginning)).toList();
        assertEquals(1, found.size(), () -> "blocks in the guide that begin with " + beginning);
        return found.get(0);
    }

    private static String guide() throws IOException {
        return Files.readString(Repository.root().resolve("docs/start.md"));
    }

    /** With the versions of the BOM, and none of its own. */
    ForeignProject importingTheBom() throws IOException {
        dependencyManagement = block("<dependencyManagement>");
        dependencies = dependencies.replaceAll("\\s*<version>.*</version>", "");
        return this;
    }

    /** With a jar that finds the dependencies in {@code dependency}, beside it. */
    ForeignProject withClassPathInTheManifest() {
        manifest = "<addClasspath>true</addClasspath><classpathPrefix>dependency/</classpathPrefix>";
        return this;
    }

    /** With a jar that has all dependencies in it. */
    ForeignProject withFatJar() throws IOException {
        addPlugin("shade", ownValue("<shade.plugin.version>"),
                "<executions><execution><goals><goal>shade</goal></goals><configuration><transformers>"
                + shown("<transformer .*/>") + "</transformers></configuration></execution></executions>");
        return this;
    }

    private void addPlugin(String name, String more) {
        addPlugin(name, ownValue("<artifactId>maven-" + name + "-plugin</artifactId>\\s*<version>"), more);
    }

    private void addPlugin(String name, String version, String more) {
        plugins.append("<plugin><artifactId>maven-").append(name).append("-plugin</artifactId><version>")
                .append(version).append("</version>").append(more).append("</plugin>\n");
    }

    /** {@return what this build's own pom has behind the only place of this form} */
    private String ownValue(String form) {
        List<String> values = Pattern.compile(form + "([^<]*)<").matcher(ownPom).results()
                .map(match -> match.group(1)).toList();
        assertEquals(1, values.size(), form);
        return values.get(0);
    }

    /** Writes it to a directory, to be built with this local repository, and then to be closed. */
    SourceTree write(Path root, Path localRepository) throws IOException {
        String access = shown("Enable-Native-Access: [\\w-]+").replaceFirst(".*: ", "");
        addPlugin("jar", "<configuration><archive><manifest>" + MAIN_CLASS + manifest + "</manifest><manifestEntries>"
                + "<Enable-Native-Access>" + access + "</Enable-Native-Access></manifestEntries></archive>"
                + "</configuration>");
        SourceTree project = new SourceTree(root, localRepository);
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
                %s
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
                """.formatted(dependencyManagement, dependencies, ownValue("<junit.version>"), plugins));
        String readme = Files.readString(Repository.root().resolve("README.md"));
        for (MatchResult program : PROGRAM.matcher(readme).results().toList()) {
            assertEquals(PACKAGE, program.group(2));
            project.write("src/main/java/" + PACKAGE.replace('.', '/') + "/" + program.group(3) + ".java",
                    program.group(1));
        }
        return project;
    }
}
