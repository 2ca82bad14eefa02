package dev.sluice.samples.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.JarredClassPath;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import dev.sluice.samples.Setups;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong is said in one line, and the exit code tells whose fault it is. */
@EnabledOnOs(OS.LINUX)
class CommandLineTest {

    private static final int FAILED = 1;
    private static final int BAD_USAGE = 2;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            echo --nonsense                      | --nonsense
            echo --port -1                       | --port must be 0 to 65535, not -1
            echo --port 70000                    | --port must be 0 to 65535, not 70000
            echo --port many                     | 'many'
            echo --threads 0                     | --threads must be 1 to 1024, not 0
            echo --threads 100000                | --threads must be 1 to 1024, not 100000
            echo --host=                         | --host is given without a value
            echo --native=                       | --native is given without a value
            echo --demultiplexer io_uring        | is a completion demultiplexer: add --pattern proactor
            echo --pattern proactor --demultiplexer epoll-edge | is a readiness demultiplexer: add --pattern reactor
            web --demultiplexer io_uring         | is a completion demultiplexer: add --io proactive
            logging --demultiplexer io_uring     | is a completion demultiplexer, which this server has no use for
            web --root=                          | --root is given without a value
            web --access-log=                    | --access-log is given without a value
            logging --file=                      | --file is given without a value
            logging --queue 2000000000           | --queue must be 1 to 65536, not 2000000000
            oltp-back --data=                    | --data is given without a value
            oltp-back --data x --branches 1000000 --accounts 1000000 | 100000000 accounts and as many tellers at most
            oltp-front --back=                   | --back must be HOST:PORT, not ''
            oltp-front --back 127.0.0.1:0        | --back must be HOST:PORT, not '127.0.0.1:0'
            compare --csv=                       | --csv is given without a value
            compare --repetitions 2000000000     | --repetitions must be 1 to 1000, not 2000000000
            echo --demultiplexer nonsense        | 'nonsense'
            echo --demultiplexer kqueue          | macOS, FreeBSD, OpenBSD only
            echo --native nonsense               | 'nonsense'
            echo --native nonsense               | jna (usable)
            logging --port -1                    | --port must be 0 to 65535, not -1
            logging --queue 0                    | --queue must be 1 to 65536, not 0
            logging --max-record 0               | --max-record must be 1 to
            web --threads 0                      | --threads must be 1 to 1024, not 0
            web --max-head 10                    | --max-head must be 64 to
            web --idle-timeout 0                 | --idle-timeout must be 1 to
            web --io nonsense                    | 'nonsense'
            nonsense                             | there is no command 'nonsense'; there is doctor, echo,
            doctr                                | there is no command 'doctr'; did you mean doctor? (sluice --help
            eco --port 0                         | there is no command 'eco'; did you mean echo? (sluice --help
            oltp --data x                        | there is no command 'oltp'; did you mean oltp-back or oltp-front?
            echo --demultiplexr epoll            | option '--demultiplexr'; did you mean --demultiplexer? (sluice echo
            compare --csvv table.csv             | there is no option '--csvv'; did you mean --csv? (sluice compare
            echo -p 0                            | there is no option '-p'; did you mean --port or --pattern?
            --prot 0                             | there is no option '--prot'
            echo extra                           | there is no argument 'extra' (sluice echo
            echo --prot 0                        | there is no option '--prot' (sluice echo
            echo --port                          | Missing required parameter for option '--port' (PORT)
            echo --port=                         | '' is no whole number
            echo --port 1e3                      | '1e3' is no whole number
            echo --port 99999999999              | 99999999999 is out of range
            echo --demultiplexer=                | --demultiplexer is given without a value
            echo --pattern=                      | expected one of reactor, proactor, but was ''
            web --file-io nonsense               | expected one of transmit, mmap, read, but was 'nonsense'
            oltp-back --data x --pool reactors   | expected one of leader-followers, reactor, half-sync,
            compare --models=                    | (NAME): expected one of reactor, reactor-per-thread,
            compare --models nonsense            | concurrent-proactor, but was 'nonsense' (sluice compare
            compare --models reactor,,proactor   | concurrent-proactor, but was ''
            compare --demultiplexers=            | --demultiplexers: '' is not usable here; there is
            compare --connections 1,,2           | '' is no whole number
            compare --seconds much               | 'much' is no number
            compare --seconds NaN                | --seconds must be 0 to 3600, not NaN
            """)
    void refusesABadCommandLine(String arguments, String complaint) throws Exception {
        assertComplaint(BAD_USAGE, complaint, arguments.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"echo", "logging", "web"})
    void listsTheDemultiplexersThatThereAre(String sample) throws Exception {
        String complaint = assertComplaint(BAD_USAGE, "'nonsense'", sample, "--demultiplexer", "nonsense");
        String usable = Setups.demultiplexers().collect(Collectors.joining(", "));
        assertTrue(complaint.contains("auto, " + usable + " "), complaint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"echo", "logging", "web"})
    void namesTheAddressThatIsInUse(String sample) throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String port = Integer.toString(taken.getLocalPort());
            String complaint = assertComplaint(FAILED, "127.0.0.1:" + port, sample, "--port", port);
            assertTrue(complaint.contains("EADDRINUSE"), complaint);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"echo", "logging", "web"})
    void namesTheHostThatDoesNotResolve(String sample) throws Exception {
        assertComplaint(FAILED, "no-such-host.invalid", sample, "--host", "no-such-host.invalid", "--port", "0");
    }

    @Test
    void namesTheFileThatCannotBeOpened(@TempDir Path directory) throws Exception {
        String file = directory.resolve("missing").resolve("file").toString();
        String complaint = assertComplaint(FAILED, file, "logging", "--port", "0", "--file", file);
        assertTrue(complaint.contains("ENOENT"), complaint);
        complaint = assertComplaint(FAILED, file, "web", "--port", "0", "--access-log", file);
        assertTrue(complaint.contains("ENOENT"), complaint);
        assertComplaint(FAILED, file, "web", "--port", "0", "--root", file);
    }

    private static String assertComplaint(int exitCode, String complaint, String... arguments) throws Exception {
        try (SampleProcess sample = SampleCommand.of(arguments).start()) {
            assertEquals(exitCode, sample.awaitExit(), sample.errors()::text);
            assertEquals("", sample.output().text());
            String said = sample.errors().text();
            assertTrue(said.startsWith("sluice") && said.indexOf('\n') == said.length() - 1, said);
            assertTrue(said.contains(complaint), said);
            return said;
        }
    }

    @Test
    void namesTheTableThatCannotBeWrittenBeforeItMeasures(@TempDir Path directory) throws Exception {
        String file = directory.resolve("missing").resolve("table.csv").toString();
        assertComplaint(FAILED, file + ": no such file or directory", "compare", "--csv", file);
        assertComplaint(FAILED, directory.toString(), "compare", "--csv", directory.toString());
    }

    @ParameterizedTest
    @CsvSource({"reactor, epoll", "proactor, epoll", "reactor, io_uring-poll", "proactor, io_uring"})
    void tellsThatThereAreTooFewDescriptors(String pattern, String demultiplexer, @TempDir Path directory)
            throws Exception {
        // With no descriptor left, a class could not be loaded from a directory.
        String classPath = JarredClassPath.in(directory);
        try (SampleProcess sample = SampleCommand.of("echo", "--port", "0", "--threads", "200", "--pattern", pattern,
                "--demultiplexer", demultiplexer).withClassPath(classPath).after("ulimit -n 120").start()) {
            assertEquals(FAILED, sample.awaitExit(), sample.errors()::text);
            assertEquals("", sample.output().text());
            String said = sample.errors().text();
            assertTrue(said.matches("sluice echo: \\w+ .*EMFILE.*ulimit -n.*\n"), said);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "epoll-one-shot"})
    void tellsInALineThatASettingCannotBe(String demultiplexer) throws Exception {
        try (SampleProcess sample = SampleCommand.of("echo", "--port", "0", "--pattern", "proactor", "--demultiplexer",
                demultiplexer).withOption("-Dsluice.provided-buffers.most-kept=5000").start()) {
            assertEquals(BAD_USAGE, sample.awaitExit(), sample.errors()::text);
            assertEquals("", sample.output().text());
            String said = sample.errors().text();
            assertTrue(said.matches("sluice echo: -Dsluice.provided-buffers.most-kept=5000: .*\n"), said);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "echo --help", "logging --help", "web --help", "doctor --help", "--version", ""})
    void answersQuestionsOnStandardOutput(String arguments) throws Exception {
        String[] words = arguments.isEmpty() ? new String[0] : arguments.split(" ");
        try (SampleProcess sample = SampleCommand.of(words).start()) {
            assertEquals(0, sample.awaitExit());
            assertTrue(sample.output().text().matches("(?s)(Usage: sluice|Sluice \\d).*"), sample.output()::text);
            assertEquals("", sample.errors().text());
        }
    }
}
