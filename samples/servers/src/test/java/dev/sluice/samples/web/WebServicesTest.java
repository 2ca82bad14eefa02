package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Services of Jain's and Schmidt's Service Configurator, in a web server that goes on meanwhile. */
class WebServicesTest {

    private static final int CLIENTS = 4;

    @TempDir
    private Path directory;
    private Path config;

    @BeforeEach
    void begin() throws IOException {
        config = directory.resolve("web.conf");
        Files.writeString(directory.resolve("file"), "of the site");
        FoundServices.CALLED.clear();
    }

    private void configure(String... lines) throws IOException {
        Files.write(config, Stream.concat(Stream.of("root = " + directory), Stream.of(lines)).toList());
    }

    private WebSample start(WebDriver driver) throws IOException {
        return WebSample.start(driver, "--config", config.toString(), "--control", "0");
    }

    /** {@return the content of a reply; the status, if it is not 200} */
    private static String get(HttpClientSocket client, String path) throws Exception {
        HttpClientSocket.Received reply = client.get(path).receive();
        return reply.status() == 200 ? new String(reply.content(), US_ASCII) : "" + reply.status();
    }

    /** Sends SIGHUP, and waits until the configuration of this number is in use. */
    private static void reloadBySignal(WebSample web, int configuration) throws Exception {
        web.process().hangUp();
        web.process().errors().awaitLine("result",
                line -> line.endsWith("configuration " + configuration + " is active"));
    }

    private static void awaitCalled(String... calls) throws Exception {
        Patience.until("hooks called", () -> FoundServices.CALLED.equals(List.of(calls)));
        FoundServices.CALLED.clear();
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void areAddedReplacedAndRemovedByTheFile(WebDriver driver) throws Exception {
        configure("service = one mark=1", "service = other mark=2 path=/there");
        try (WebSample web = start(driver); HttpClientSocket client = web.connect()) {
            ControlClient control = ControlClient.of(web);
            assertEquals("1", get(client, "/one"));
            assertEquals("2", get(client, "/there"));
            assertEquals("of the site", get(client, "/file"));
            assertEquals(List.of("service one active /one 1", "service other active /there 1"), control.ask("info"));
            awaitCalled("init one 1", "init other 2");
            // What has not changed goes on.
            configure("service = one mark=1", "service = other mark=3", "suspended = other");
            control.reload();
            assertEquals("404", get(client, "/there"));
            assertEquals("404", get(client, "/other"));
            assertEquals(List.of("service one active /one 1", "service other suspended /other 0"),
                    control.ask("info"));
            awaitCalled("init other 3", "suspend other 3", "fini other 2");
            configure("service = other mark=3");
            control.reload();
            assertEquals("404", get(client, "/one"));
            assertEquals("3", get(client, "/other"));
            awaitCalled("resume other 3", "fini one 1");
            client.hangUp();
            web.process().stop();
        }
        awaitCalled("fini other 3");
    }

    @Test
    void areChangedByTheControlAddressUntilTheFileIsRead() throws Exception {
        configure("service = one mark=1");
        try (WebSample web = start(WebDriver.each().get(0)); HttpClientSocket client = web.connect()) {
            ControlClient control = ControlClient.of(web);
            assertEquals(List.of("service one is suspended"), control.ask("suspend one"));
            assertEquals(List.of("service one is suspended already"), control.ask("suspend one"));
            assertEquals("404", get(client, "/one"));
            assertEquals(List.of("ok: configuration 2 is active"), control.ask("init other mark=2"));
            assertEquals("404", get(client, "/one"));
            assertEquals("2", get(client, "/other"));
            assertEquals(List.of("service one is active"), control.ask("resume one"));
            assertEquals("1", get(client, "/one"));
            assertEquals(List.of("ok: configuration 3 is active"), control.ask("fini one"));
            assertEquals("404", get(client, "/one"));
            assertEquals(List.of("service other active /other 1"), control.ask("info"));
            control.reload();
            assertEquals("1", get(client, "/one"));
            assertEquals("404", get(client, "/other"));
            awaitCalled("init one 1", "suspend one 1", "init other 2", "resume one 1", "fini one 1", "init one 1",
                    "fini other 2");
            client.hangUp();
            web.process().stop();
        }
    }

    /** A signal also reverts the changes that were made at the control address. */
    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void areReplacedBySighup(WebDriver driver) throws Exception {
        configure("service = one mark=1");
        try (WebSample web = start(driver); HttpClientSocket client = web.connect()) {
            ControlClient control = ControlClient.of(web);
            assertEquals(List.of("ok: configuration 2 is active"), control.ask("init other mark=2"));
            assertEquals(List.of("service one is suspended"), control.ask("suspend one"));
            assertEquals("2", get(client, "/other"));
            reloadBySignal(web, 3);
            assertEquals("1", get(client, "/one"));
            assertEquals("404", get(client, "/other"));
            awaitCalled("init one 1", "init other 2", "suspend one 1", "resume one 1", "fini other 2");
            configure("service = one mark=3", "service = strange");
            web.process().hangUp();
            web.process().errors().awaitLine("problem", line -> line.endsWith(
                    config + ":3: --service strange is not available: there is one, other"));
            assertEquals("1", get(client, "/one"));
            awaitCalled("init one 3", "fini one 3");
            configure("service = one mark=3", "service = other mark=4");
            reloadBySignal(web, 4);
            assertEquals("3", get(client, "/one"));
            assertEquals("4", get(client, "/other"));
            awaitCalled("init one 3", "init other 4", "fini one 1");
            client.hangUp();
            web.process().stop();
        }
        awaitCalled("fini other 4", "fini one 3");
    }

    @Test
    void whatIsWrongChangesNothing() throws Exception {
        configure("service = one mark=1");
        try (WebSample web = start(WebDriver.each().get(0)); HttpClientSocket client = web.connect()) {
            ControlClient control = ControlClient.of(web);
            String[][] wrong = {
                {"service = other fails=init", "2: --service other cannot begin: init of other"},
                {"service = strange", "2: --service strange is not available: there is one, other"},
                {"service = other mark", "2: --service: the options of other must be 'name=value', not 'mark'"},
                {"service = other mark=1 mark=2", "2: --service: the option mark of other is there twice"},
                {"service = a=b", "2: --service: must be a name and options 'name=value', not 'a=b'"},
            };
            for (String[] each : wrong) {
                configure(each[0]);
                assertEquals(List.of("error: " + config + ":" + each[1]), control.ask("reload"));
            }
            configure("service = other mark=5", "service = one fails=init");
            assertEquals(List.of("error: " + config + ":3: --service one cannot begin: init of one"),
                    control.ask("reload"));
            configure("service = one", "service = other", "service = one mark=1");
            assertEquals(List.of("error: " + config + ":4: --service one is in line 2 already"),
                    control.ask("reload"));
            configure("service = one mark=1");
            assertEquals(List.of("error: --service strange is not available: there is one, other"),
                    control.ask("init strange").stream().map(line -> line.replace(config + ": ", "")).toList());
            assertEquals(List.of("error: there is no service 'other'"), control.ask("fini other"));
            assertEquals(List.of("error: there is no service ''"), control.ask("suspend"));
            assertEquals(List.of("error: unknown command; the commands are reload, status, info, init, fini, "
                    + "suspend, resume, concurrency"),
                    control.ask("restart"));
            assertEquals("1", get(client, "/one"));
            assertEquals(List.of("service one active /one 1"), control.ask("info"));
            assertEquals("1", control.status("configuration"));
            awaitCalled("init one 1", "init other 5", "fini other 5");
            client.hangUp();
            web.process().stop();
        }
    }

    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void oneThatThrowsFailsItsRequestsAlone(WebDriver driver) throws Exception {
        configure("service = one fails=admit,suspend,fini", "service = other mark=2");
        try (WebSample web = start(driver); HttpClientSocket client = web.connect()) {
            ControlClient control = ControlClient.of(web);
            assertEquals("500", get(client, "/one"));
            assertEquals("2", get(client, "/other"));
            web.process().errors().awaitLine("failure", line -> line.endsWith(
                    "the service one has failed: java.lang.IllegalStateException: admit of one"));
            assertEquals(List.of("error: service one cannot be suspended: suspend of one"),
                    control.ask("suspend one"));
            assertEquals("500", get(client, "/one"));
            configure("service = other mark=2");
            control.reload();
            web.process().errors().awaitLine("end", line -> line.endsWith(
                    "service one has failed to end: fini of one"));
            assertEquals("2", get(client, "/other"));
            assertEquals(0, web.process().errors().text().lines().filter(line -> line.startsWith("\tat ")).count());
            client.hangUp();
            web.process().stop();
        }
    }

    /** Each reply is of a service that has begun, and has not ended. A command or a signal causes each reload. */
    @ParameterizedTest
    @MethodSource(WebDriver.BOTH)
    void areReplacedUnderLoad(WebDriver driver) throws Exception {
        configure("service = one mark=0");
        int rounds = Depth.times(5, 10, 200);
        AtomicBoolean over = new AtomicBoolean();
        List<Background<String>> clients = new ArrayList<>();
        try (WebSample web = start(driver)) {
            ControlClient control = ControlClient.of(web);
            for (int i = 0; i < CLIENTS; i++) {
                HttpClientSocket client = web.connect();
                clients.add(Background.run(() -> lastMark(client, over)));
            }
            try {
                for (int i = 1; i <= rounds; i++) {
                    configure("service = one mark=" + i % 2, i % 3 == 0 ? "service = other" : "");
                    if (i % 4 < 2) {
                        control.reload();
                    } else {
                        reloadBySignal(web, i + 1);
                    }
                }
            } finally {
                over.set(true);
            }
            for (Background<String> each : clients) {
                assertEquals(String.valueOf(rounds % 2), each.result());
            }
            web.process().stop();
        }
        Patience.until("as many ends as beginnings", () -> count("init") == count("fini"));
        assertEquals(rounds + 1 + rounds / 3, count("init"));
    }

    /** Makes requests on one connection, and returns the reply to the last one, which follows the last change. */
    private static String lastMark(HttpClientSocket client, AtomicBoolean over) throws Exception {
        try (client) {
            String mark;
            boolean last;
            do {
                last = over.get();
                mark = get(client, "/one");
                assertTrue(mark.matches("[01]"), mark);
            } while (!last);
            return mark;
        }
    }

    private static long count(String hook) {
        return FoundServices.CALLED.stream().filter(each -> each.startsWith(hook)).count();
    }
}
