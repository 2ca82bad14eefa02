package dev.sluice.samples.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Repository;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Programs that the README and the guide show are programs that are compiled here. */
class DocumentedProgramsTest {

    private static final List<String> SOURCES = List.of("samples/servers/src/main/java/dev/sluice/samples/first",
            "samples/recipes/src/main/java/dev/sluice/recipes");
    private static final Pattern JAVA_BLOCK = Pattern.compile("(?ms)^```java\\R(.*?)^```\\s*$");
    private static final Pattern PROGRAM = Pattern.compile("(?s)(package|import) .*");
    private static final Pattern PUBLIC_TYPE =
            Pattern.compile("(?m)^public (?:(?:final|abstract|sealed) )*(?:class|interface|record|enum) (\\w+)");

    @Test
    void areWhatIsCompiled() throws IOException {
        for (String program : programs(shown())) {
            Matcher type = PUBLIC_TYPE.matcher(program);
            assertTrue(type.find(), () -> "a program without a public class: " + program);
            assertEquals(Files.readString(source(type.group(1) + ".java")), program);
        }
    }

    @Test
    void orPartsOfIt() throws IOException {
        List<String> parts = JAVA_BLOCK.matcher(shown()).results().map(block -> block.group(1))
                .filter(block -> !PROGRAM.matcher(block).matches()).toList();
        assertFalse(parts.isEmpty());
        String compiled = compiled();
        for (String part : parts) {
            assertTrue(compiled.contains(part.indent(4)), () -> "in no first program and in no recipe: " + part);
        }
    }

    /** {@return the README and the guide} */
    private static String shown() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String name : Documents.names()) {
            if (name.equals("README.md") || name.startsWith("docs/")) {
                text.append(Document.read(name).text());
            }
        }
        return text.toString();
    }

    private static String compiled() throws IOException {
        StringBuilder text = new StringBuilder();
        for (Path file : sources()) {
            // Blank lines are not indented there.
            text.append(Files.readString(file).lines().map(line -> line.isEmpty() ? "    " : line)
                    .collect(Collectors.joining("\n", "", "\n")));
        }
        return text.toString();
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String directory : SOURCES) {
            try (DirectoryStream<Path> files =
                    Files.newDirectoryStream(Repository.root().resolve(directory), "*.java")) {
                files.forEach(sources::add);
            }
        }
        return sources;
    }

    private static List<String> programs(String text) {
        return JAVA_BLOCK.matcher(text).results().map(block -> block.group(1))
                .filter(block -> PROGRAM.matcher(block).matches()).toList();
    }

    private static Path source(String name) throws IOException {
        List<Path> found = sources().stream().filter(file -> file.getFileName().toString().equals(name)).toList();
        assertEquals(1, found.size(), () -> name + " in " + SOURCES + ": " + found);
        return found.get(0);
    }

    @Test
    void distinguishesProgramsFromFragments() {
        String text = "# Title\n```java\npackage a;\n\npublic final class A {\n}\n```\ntext\n```sh\n./sluice\n```\n"
                + "```java\nreactor.run();\n```\n```java\nimport b.C;\n\npublic class D { }\n```\n";
        assertEquals(List.of("package a;\n\npublic final class A {\n}\n", "import b.C;\n\npublic class D { }\n"),
                programs(text));
        assertFalse(PUBLIC_TYPE.matcher("class Hidden { }").find());
    }
}
