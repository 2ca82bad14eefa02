package dev.sluice.samples.configurator;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.server.OptionValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What is in a file adds to what is on the command line, or is reported as a problem of its line. */
class ConfigurationFileTest {

    /** A command with options of each kind. */
    static final class Sample {

        @Spec
        private CommandSpec spec;

        @Changeable
        @Option(names = "--size", defaultValue = "7")
        private int size;

        @Changeable
        @Option(names = "--name")
        private String name;

        @Changeable
        @Option(names = "--list", split = ",")
        private List<String> list;

        @Changeable
        @Option(names = "--flag")
        private boolean flag;

        @Option(names = "--port")
        private int port;

        private void check(Set<String> inFile) {
            if (size < 1) {
                throw new ParameterException(spec.commandLine(), "--size must be 1 or more, not " + size);
            }
            if (inFile.contains("--name") && name.equals("banned")) {
                throw new ParameterException(spec.commandLine(), "--name must not be banned in a file");
            }
        }
    }

    @TempDir
    private Path directory;

    private ConfigurationFile<Sample> file(Path path, String... arguments) {
        CommandLine commandLine = new CommandLine(new Sample());
        OptionValues.register(commandLine);
        commandLine.parseArgs(arguments);
        return new ConfigurationFile<>(path, commandLine.getCommandSpec(), Sample::new, Sample::check);
    }

    private Path write(String content) throws IOException {
        return Files.write(directory.resolve("file"), content.getBytes(ISO_8859_1));
    }

    @Test
    void addsToTheCommandLine() throws Exception {
        Path path = write("# a comment\r\n\r\n  size=12\n\tname =  with = and # and blanks \nlist = a,b");
        Options<Sample> options = file(path, "--port", "5", "--flag").read();
        assertEquals(12, options.command().size);
        assertEquals("with = and # and blanks", options.command().name);
        assertEquals(List.of("a", "b"), options.command().list);
        assertTrue(options.command().flag);
        assertEquals(5, options.command().port);
        assertEquals(List.of(path + ":4: no good"), options.problem("--name", "no good", null).problems());
        assertEquals(List.of(path + ": no good"), options.problem("--port", "no good", null).problems());
    }

    @Test
    void isReadAnewEachTime() throws Exception {
        Path path = write("flag = true\nsize = 3\n");
        ConfigurationFile<Sample> file = file(path, "--list", "x,y");
        Sample first = file.read().command();
        assertTrue(first.flag);
        write("flag = false\n");
        Sample second = file.read().command();
        assertFalse(second.flag);
        assertEquals(7, second.size, "the default");
        assertEquals(List.of("x", "y"), second.list);
        write("");
        assertEquals(7, file.read().command().size);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            nonsense        | must be 'name = value', not 'nonsense'
            = 5             | there is no option ''
            --size = 5      | there is no option '--size'
            sizes = 5       | there is no option 'sizes'
            Size = 5        | there is no option 'Size'
            port = 5        | --port cannot change while the server runs: set it on the command line
            list = a        | --list is on the command line already
            size = many     | Invalid value for option '--size': 'many' is not an integer
            size =          | Invalid value for option '--size': '' is not an integer
            size = 9999999999 | Invalid value for option '--size': 9999999999 is out of range
            size = 0        | --size must be 1 or more, not 0
            size = 5 # five | Invalid value for option '--size': '5 # five' is not an integer
            flag            | must be 'name = value', not 'flag'
            flag = yes      | --flag must be true or false, not 'yes'
            name = banned   | --name must not be banned in a file
            name = "\u0007" | has a control character
            name = "\u0000" | has a control character
            name = "\u00e4" | not in UTF-8
            """)
    void reportsTheLine(String line, String problem) throws Exception {
        Path path = write("# first\nname = fine\n" + line + "\nlast");
        if (line.startsWith("name")) {
            path = write("# first\n\n" + line + "\nlast");
        }
        ConfigurationFile<Sample> file = file(path, "--list", "x");
        ConfigurationException wrong = assertThrows(ConfigurationException.class, file::read);
        assertEquals(List.of(path + ":3: " + problem, path + ":4: must be 'name = value', not 'last'"),
                wrong.problems());
    }

    @Test
    void reportsWhereAnOptionWasBefore() throws Exception {
        Path path = write("size = 1\n\nsize = 1\n");
        assertEquals(path + ":3: --size is in line 1 already",
                assertThrows(ConfigurationException.class, file(path)::read).getMessage());
    }

    @Test
    void limitsWhatItReads() throws Exception {
        assertEquals("long", file(write("name = long" + " ".repeat(4096 - 11) + "\n")).read().command().name);
        Path path = write("\nname = long" + "x".repeat(4096 - 10));
        assertEquals(path + ":2: longer than 4096 bytes",
                assertThrows(ConfigurationException.class, file(path)::read).getMessage());
        write("#\n".repeat(1 << 19) + "#");
        assertEquals(path + ": has more than 1048576 bytes",
                assertThrows(ConfigurationException.class, file(path)::read).getMessage());
        write("x\n".repeat(1 << 12));
        List<String> problems = assertThrows(ConfigurationException.class, file(path)::read).problems();
        assertEquals(11, problems.size());
        assertEquals("and so on, " + ((1 << 12) - 10) + " more", problems.get(10));
    }

    @Test
    void needsAFile() throws Exception {
        Path absent = directory.resolve("absent");
        assertEquals(absent + ": no such file or directory",
                assertThrows(ConfigurationException.class, file(absent)::read).getMessage());
        // A pipe is rejected for the same reason: a read might wait forever.
        assertEquals(directory + ": is not a regular file",
                assertThrows(ConfigurationException.class, file(directory)::read).getMessage());
    }
}
