package dev.sluice.samples.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.CommandRun;
import dev.sluice.samples.JarredClassPath;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import dev.sluice.samples.Setups;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong is said in one line, and the exit code tells whose fault it is. */
@EnabledOnOs(OS.LINUX)
class CommandLineTest {

    private static final int FAILED = 1;
    private static final int BAD_USAGE = 2;
    /** With no descriptor left, a class could not be loaded from a directory. */
    private static String classPath;

    @BeforeAll
    static void packClasses(@TempDir Path directory) throws IOException {
        classPath = JarredClassPath.in(directory);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            echo --nonsense                      | --nonsense
            echo --port -1                       | --port must be 0 to 65535, not -1
            echo --port 70000                    | --port must be 0 to 65535, not 70000
            echo --port many                     | 'many'
            echo --threads 0                     | --threads must be 1 to 1024, not 0
            echo --threads 100000                | --threads must be 1 to 1024, not 100000
            echo --native=                       | --native is given without a value
            echo --host=                         | --host is given without a value
            echo --concurrency concurrent-proactor | --concurrency concurrent-proactor is not supported by echo
            echo --concurrency leader-followers --pattern proactor | requires --pattern reactor, not proactor
            echo --concurrency thread-per-request --threads 4 | the number of threads depends on the clients
            echo --demultiplexer io_uring        | is a completion demultiplexer: add --pattern proactor
            echo --pattern proactor --demultiplexer epoll-edge | is a readiness demultiplexer: add --pattern reactor
            web --demultiplexer io_uring         | is a completion demultiplexer: add --io proactive
            logging --demultiplexer io_uring     | is a completion demultiplexer, which this server has no use for
            web --also 8081                      | expected PORT=STRATEGY or PORT=STRATEGY/WAY, but was '8081'
            web --also 65536=thread-pool         | --also must be 0 to 65535, not 65536
            web --also 8081=fast                 | expected one of reactor-per-thread, leader-followers
            web --rate 10                        | --rate must be 1024 to 2147483647, not 10
            web --backlog 0                      | --backlog must be 1 to 65535, not 0
            web --root=                          | --root is given without a value
            web --access-log=                    | --access-log is given without a value
            logging --file=                      | --file is given without a value
            logging --queue 2000000000           | --queue must be 1 to 65536, not 2000000000
            haboob --page-cache 511              | --page-cache must be 512 to 1073741824, not 511
            haboob --connections 0               | --connections must be 1 to 65536, not 0
            haboob --status status               | --status must begin with a slash, unlike status
            haboob --max-put -1                  | --max-put must be 0 to 2147483647, not -1
            haboob --config=                     | --config is given without a value
            haboob --control x                   | --control must be PORT or HOST:PORT, not 'x'
            haboob --cost -1                     | --cost must be 0 to 60000, not -1
            haboob --target 0                    | --target must be 1 to 3600000, not 0
            haboob --stages fine                 | expected one of coarse, paper, but was 'fine'
            haboob --reply-order any             | expected one of size, none, but was 'any'
            haboob --rounds -1                   | --rounds must be 0 to 2147483647, not -1
            haboob --wait 60001                  | --wait must be 0 to 60000, not 60001
            haboob --page-threads 0              | --page-threads must be 1 to 65536, not 0
            haboob --virtual                     | --virtual needs --rounds
            haboob --shedding all                | expected one of none, mean, percentile, backlog, delay, but was 'all'
            haboob --demultiplexer epoll-edge    | is a readiness demultiplexer, which this server has no use for
            haboob --root=                       | --root is given without a value
            oltp-back --data=                    | --data is given without a value
            oltp-back --data x --branches 1000000 --accounts 1000000 | a bank has at most 100000000 accounts
            oltp-front --back=                   | --back must be HOST:PORT, not ''
            oltp-front --back 127.0.0.1:0        | --back must be HOST:PORT, not '127.0.0.1:0'
            wal --data=                          | --data is given without a value
            wal --data x --threads 0             | --threads must be 1 to 1000, not 0
            wal --data x --bytes 19              | --bytes must be 20 to 262120, not 19
            wal --data x --seconds -1            | --seconds must be 0 to 86400, not -1
            wal --data x --segment 0             | --segment must be 1 to 1024, not 0
            wal --data x --demultiplexer nonsense | 'nonsense'
            compare --csv=                       | --csv is given without a value
            compare --repetitions 2000000000     | --repetitions must be 1 to 1000, not 2000000000
            echo --demultiplexer nonsense        | 'nonsense'
            echo --demultiplexer kqueue          | macOS, FreeBSD, OpenBSD only
            logging --port -1                    | --port must be 0 to 65535, not -1
            logging --queue 0                    | --queue must be 1 to 65536, not 0
            logging --max-record 0               | --max-record must be 1 to
            dns --threads 0                      | --threads must be 1 to 1024, not 0
            dns --zone=                          | --zone is given without a value
            web --threads 0                      | --threads must be 1 to 1024, not 0
            web --cache hinted                   | --cache hinted and --cache-hints require each other
            web --cache-hints x                  | --cache hinted and --cache-hints require each other
            web --cache-files 0                  | --cache-files must be 1 to
            web --cache-memory -1                | --cache-memory must be 0 to
            web --status here                    | --status must begin with a slash
            web --max-head 10                    | --max-head must be 64 to
            web --idle-timeout 0                 | --idle-timeout must be 0.05 to
            web --idle-timeout long              | 'long' is not a number
            web --idle-timeout Infinity          | 'Infinity' is not a number
            web --adapt 0                        | --adapt must be 0.05 to 3600, not 0
            web --pin cache                      | --pin requires --adapt
            web --adaptation-csv x               | --adaptation-csv requires --adapt
            web --adapt 1 --pin all              | expected one of threads, cache, files, concurrency, but was 'all'
            web --config=                        | --config is given without a value
            web --control 70000                  | --control must be PORT or HOST:PORT, not '70000'
            web --control :80                    | --control must be PORT or HOST:PORT, not ':80'
            web --control none.invalid:80        | --control none.invalid:80: the name does not resolve
            web --config x --control             | Missing required parameter for option '--control'
            web --max-content -1                 | --max-content must be 0 to 1073741824, not -1
            web --max-compressed -1              | --max-compressed must be 0 to 1073741824, not -1
            web --max-put -1                     | --max-put must be 0 to
            web --request-timeout 0              | --request-timeout must be 0.05 to 86400, not 0
            web --index a/b                      | --index must be names of files, unlike 'a/b'
            web --mime-types=                    | --mime-types is given without a value
            web --cache lru,lfu                  | expected one of lru, lfu, hinted, structured, none, but was 'lru,lfu'
            web --also-threads 2                 | --also-threads requires an --also with a pool of threads
            gopher                               | Missing required parameter: 'DIRECTORY'
            gopher . --max-selector 0            | --max-selector must be 1 to 1048576, not 0
            gopher . --name=                     | --name is given without a value
            gopher . --cache hinted              | --cache hinted and --cache-hints require each other
            web --io nonsense                    | 'nonsense'
            web --concurrency nonsense           | expected one of reactor-per-thread, leader-followers,
            web --concurrency thread-pool --io proactive | --concurrency thread-pool is synchronous, not --io proactive
            web --concurrency thread-per-request --threads 4 | --threads: with --concurrency thread-per-req
            web --concurrency leader-followers --threads 0 | --threads must be 1 to 1024, not 0
            web --concurrency leader-followers --demultiplexer io_uring | add --concurrency proactor-per-thread
            web --concurrency proactor-per-thread --demultiplexer epoll-edge | add --concurrency reactor-per-thread
            web --concurrency concurrent-proactor --demultiplexer io_uring | io_uring is for one; there is epoll
            nonsense                             | there is no command 'nonsense'; the commands are doctor, tour,
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
            echo --port=                         | '' is not an integer
            echo --port 1e3                      | '1e3' is not an integer
            echo --port 99999999999              | 99999999999 is out of range
            echo --demultiplexer=                | --demultiplexer is given without a value
            echo --pattern=                      | expected one of reactor, proactor, but was ''
            web --file-io nonsense               | expected one of transmit, mmap, read, but was 'nonsense'
            web --filters nonsense               | --filters: there is no filter 'nonsense', but
            web --filters ranges --rate 2000     | --rate needs the filter throttling, which --filters leaves out
            web --filters none --access-log x    | --access-log needs the filter logging, which --filters leaves out
            haboob --filters none --rate 2000    | --rate needs the filter throttling, which --filters leaves out
            gopher . --filters ranges            | --filters: there is no filter 'ranges', but
            gopher . --filters none --rate 2000  | --rate needs the filter throttling, which --filters leaves out
            oltp-back --data x --concurrency reactors | expected one of reactor-per-thread, leader-followers,
            oltp-back --data x --concurrency proactor-per-thread | is proactive, which this server does not support
            oltp-back --data x --concurrency thread-per-connection --threads 4 | the number of threads depends
            compare --concurrency=               | (STRATEGY): expected one of reactor-per-thread, leader-followers,
            compare --concurrency nonsense       | concurrent-proactor, but was 'nonsense' (sluice compare
            compare --concurrency thread-pool,,x | concurrent-proactor, but was ''
            compare --layouts none               | expected one of one-handle-set, pool-per-handle-set,
            compare --demultiplexers=            | --demultiplexers: '' is not usable here; usable are
            compare --orders sideways            | expected one of lifo, fifo, priority, implementation-defined, but was
            compare --promotions never           | expected one of before-dispatch, by-handler, but was 'never'
            compare --kinds none                 | expected one of iterative, concurrent, but was 'none'
            compare --handle-sets 1              | --handle-sets must be 2 to 1000, not 1
            compare --handle-sets 5              | --handle-sets 5 are too many for --threads 4: each needs a thread
            compare --threads 1                  | --handle-sets 2 are too many for --threads 1: each needs a thread
            compare --concurrency thread-pool --orders fifo | --orders: 'fifo' cannot be combined
            compare --layouts multiple-leaders --kinds concurrent | --kinds: 'concurrent' cannot be combined
            compare --concurrency thread-pool --connections 5 | each of the --threads 4 serves one connection to its
            compare --threads 0                  | --threads must be 1 to 1000, not 0
            compare --kinds concurrent --promotions by-handler --concurrency leader-followers | 'by-handler'
            compare --demultiplexers poll --kinds concurrent | --kinds: 'concurrent' cannot be combined
            compare --demultiplexers poll,io_uring --concurrency reactor-per-thread | 'io_uring' cannot be combined
            hybrid                               | Missing required option: '--peer=HOST:PORT'
            hybrid --peer nowhere                | --peer must be HOST:PORT, not 'nowhere'
            hybrid --peer 127.0.0.1:1 --threads 0 | --threads must be 1 to 1024, not 0
            gnutella --connect 127.0.0.1         | --connect must be HOST:PORT, not '127.0.0.1'
            gnutella --connect 127.0.0.1:1,x:0   | --connect must be HOST:PORT, not 'x:0'
            gnutella --connect=                  | --connect must be HOST:PORT, not ''
            gnutella --keep -1                   | --keep must be 0 to 64, not -1
            gnutella --neighbours 0              | --neighbours must be 1 to 4096, not 0
            gnutella --queue 15                  | --queue must be 16 to 1048576, not 15
            gnutella --outgoing 63               | --outgoing must be 64 to 16384, not 63
            gnutella --status 65536              | --status must be 0 to 65535, not 65536
            gnutella --threads 0                 | --threads must be 1 to 256, not 0
            gnutella --query-delay 60001         | --query-delay must be 0 to 60000, not 60001
            gnutella --handshake-timeout 0       | --handshake-timeout must be 1 to 600, not 0
            gnutella --on-overload panic         | expected one of drop, red, filter-queries, throttle, credits, rate
            gnutella --demultiplexer epoll-edge  | is a readiness demultiplexer, which this server has no use for
            levels --levels gold                 | expected NAME=THREADS or NAME=THREADS@PRIORITY
            levels --levels gold=2@11            | not 'gold=2@11'
            levels --levels gold=1               | with 2 to 256 threads
            levels --port 65535                  | --levels needs 2 ports, more than there are from --port 65535
            compare --connections 1,,2           | '' is not an integer
            compare --seconds much               | 'much' is not a number
            compare --seconds NaN                | --seconds must be 0 to 3600, not NaN
            """)
    void refusesABadCommandLine(String arguments, String complaint) {
        CommandRun run = CommandRun.of(arguments.split(" "));
        assertEquals(BAD_USAGE, run.exitCode(), run::errors);
        assertEquals("", run.output());
        assertOneLine(complaint, run.errors());
    }

    /** The binding is a matter of the whole process. */
    @Test
    void aProcessRefusesABadCommandLine() throws Exception {
        try (SampleProcess sample = SampleCommand.of("echo", "--native", "nonsense").startProcess()) {
            String said = assertComplaint(BAD_USAGE, "'nonsense'", sample);
            assertTrue(said.contains("jna (usable)"), said);
            assertTrue(said.contains("'nonsense' of --native is not usable"), said);
        }
    }

    @Test
    void theHelpListsWhatIsNotRefused() {
        String help = CommandRun.of("echo", "--help").output();
        assertTrue(help.contains("proactor-per-thread"), help);
        assertFalse(help.contains("concurrent-proactor"), help);
    }

    @ParameterizedTest
    @ValueSource(strings = {"echo", "logging", "dns", "web", "levels"})
    void listsTheDemultiplexersThatThereAre(String sample) throws Exception {
        String complaint = assertComplaint(BAD_USAGE, "'nonsense'", sample, "--demultiplexer", "nonsense");
        String usable = Setups.demultiplexers().collect(Collectors.joining(", "));
        assertTrue(complaint.contains("auto, " + usable + " "), complaint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"echo", "logging", "web", "haboob", "levels", "gnutella"})
    void namesTheAddressThatIsInUse(String sample) throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String port = Integer.toString(taken.getLocalPort());
            String complaint = assertComplaint(FAILED, "127.0.0.1:" + port, sample, "--port", port);
            assertTrue(complaint.contains("EADDRINUSE"), complaint);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"echo", "logging", "dns", "web", "haboob", "levels", "gnutella"})
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
        try (RunningSample sample = SampleCommand.of(arguments).start()) {
            return assertComplaint(exitCode, complaint, sample);
        }
    }

    private static String assertComplaint(int exitCode, String complaint, RunningSample sample) throws Exception {
        assertEquals(exitCode, sample.awaitExit(), sample.errors()::text);
        assertEquals("", sample.output().text());
        String said = sample.errors().text();
        assertOneLine(complaint, said);
        return said;
    }

    private static void assertOneLine(String complaint, String said) {
        assertTrue(said.startsWith("sluice") && said.indexOf('\n') == said.length() - 1, said);
        assertTrue(said.contains(complaint), said);
    }

    @Test
    void namesTheTableThatCannotBeWrittenBeforeItMeasures(@TempDir Path directory) throws Exception {
        String file = directory.resolve("missing").resolve("table.csv").toString();
        assertComplaint(FAILED, file + ": no such file or directory", "compare", "--csv", file);
        assertComplaint(FAILED, directory.toString(), "compare", "--csv", directory.toString());
    }

    static Stream<Arguments> patterns(TestInfo test) {
        return Depth.some(test, Stream.of(Arguments.of("reactor", "epoll"), Arguments.of("proactor", "epoll"),
                Arguments.of("reactor", "io_uring-poll"), Arguments.of("proactor", "io_uring")), 2);
    }

    @ParameterizedTest
    @MethodSource("patterns")
    void reportsThatThereAreTooFewDescriptors(String pattern, String demultiplexer) throws Exception {
        try (RunningSample sample = SampleCommand.of("echo", "--port", "0", "--threads", "200", "--pattern", pattern,
                "--demultiplexer", demultiplexer).withClassPath(classPath).after("ulimit -n 120").start()) {
            assertEquals(FAILED, sample.awaitExit(), sample.errors()::text);
            assertEquals("", sample.output().text());
            String said = sample.errors().text();
            assertTrue(said.matches("sluice echo: \\w+ .*EMFILE.*ulimit -n.*\n"), said);
        }
    }

    static Stream<String> completion(TestInfo test) {
        return Depth.some(test, Stream.of("io_uring", "epoll", "epoll-one-shot"), 1);
    }

    @ParameterizedTest
    @MethodSource("completion")
    void reportsAnInvalidSettingInALine(String demultiplexer) throws Exception {
        try (RunningSample sample = SampleCommand.of("echo", "--port", "0", "--pattern", "proactor", "--demultiplexer",
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
        try (RunningSample sample = SampleCommand.of(words).start()) {
            assertEquals(0, sample.awaitExit());
            assertTrue(sample.output().text().matches("(?s)(Usage: sluice|Sluice \\d).*"), sample.output()::text);
            assertEquals("", sample.errors().text());
        }
    }
}
