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
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Services that do what they must not: each costs a line, and the server goes on as before. */
class WebHostileServicesTest {

    private static final String TIMEOUT = "it has not returned within 0.1 s";

    @TempDir
    private Path directory;
    private Path config;

    @BeforeEach
    void begin() throws IOException {
        config = directory.resolve("web.conf");
        Files.writeString(directory.resolve("file"), "0123456789");
        FoundServices.CALLED.clear();
        FoundServices.RELEASED.drainPermits();
    }

    /** Replaces the file as a whole, since another client may have it read at any time. */
    private void configure(String... lines) throws IOException {
        Path next = Files.write(directory.resolve("next.conf"),
                Stream.concat(Stream.of("root = " + directory), Stream.of(lines)).toList());
        Files.move(next, config, StandardCopyOption.ATOMIC_MOVE);
    }

    private WebSample start() throws IOException {
        configure("service = one mark=1");
        return WebSample.start(WebDriver.each().get(0), "--config", config.toString(), "--control", "0");
    }

    private static String get(HttpClientSocket client, String path) throws Exception {
        HttpClientSocket.Received reply = client.get(path).receive();
        return reply.status() == 200 ? new String(reply.content(), US_ASCII) : "" + reply.status();
    }

    private static void assertAsBefore(HttpClientSocket client, ControlClient control) throws Exception {
        assertEquals("1", get(client, "/one"));
        assertEquals("1", control.status("configuration"));
        assertTrue(control.ask("info").get(0).startsWith("service one active /one "));
        assertEquals(1, control.ask("info").size());
    }

    private static void stop(WebSample web, HttpClientSocket client) throws Exception {
        assertEquals(0, web.process().errors().text().lines().filter(line -> line.startsWith("\tat ")).count());
        client.hangUp();
        web.process().stop();
    }

    @Test
    void errorsAtTheBeginningAreNamed() throws Exception {
        try (WebSample web = start(); HttpClientSocket client = web.connect()) {
            ControlClient control = ControlClient.of(web);
            configure("service = other errs=init");
            assertEquals(List.of("error: " + config
                    + ":2: --service other cannot begin: java.lang.NoClassDefFoundError: absent/Type"),
                    control.ask("reload"));
            List<String> answer = controlOf(control, "service-timeout = 0");
            assertEquals(1, answer.size(), answer::toString);
            assertTrue(answer.get(0).startsWith("error: " + config + ":2: --service-timeout"), answer::toString);
            assertAsBefore(client, control);
            stop(web, client);
        }
    }

    private List<String> controlOf(ControlClient control, String... lines) throws IOException {
        configure(lines);
        return control.ask("reload");
    }

    /** It begins when nothing waits for it any more, and ends at once. */
    @Test
    void oneThatBlocksAtItsBeginningIsGivenUp() throws Exception {
        try (WebSample web = start(); HttpClientSocket client = web.connect()) {
            ControlClient control = ControlClient.of(web);
            assertEquals(List.of("error: " + config + ":3: --service other cannot begin: " + TIMEOUT),
                    controlOf(control, "service-timeout = 0.1", "service = other mark=2 blocks=init"));
            assertAsBefore(client, control);
            assertEquals(List.of("init one 1"), FoundServices.CALLED);
            FoundServices.RELEASED.release();
            Patience.until("it ends", () -> FoundServices.CALLED.equals(
                    List.of("init one 1", "init other 2", "fini other 2")));
            assertAsBefore(client, control);
            stop(web, client);
        }
    }

    @Test
    void oneThatBlocksLaterIsLeftAlone() throws Exception {
        try (WebSample web = start(); HttpClientSocket client = web.connect()) {
            ControlClient control = ControlClient.of(web);
            assertEquals(List.of("ok: configuration 2 is active"),
                    controlOf(control, "service-timeout = 0.1", "service = other mark=2 blocks=suspend"));
            assertEquals(List.of("error: service other cannot be suspended: " + TIMEOUT),
                    control.ask("suspend other"));
            assertEquals("2", get(client, "/other"), "it goes on");
            assertEquals(List.of("error: service other cannot be suspended: it has not returned from suspend yet"),
                    control.ask("suspend other"));
            assertEquals("service other active has failed to say: java.io.IOException: it has not returned from "
                    + "suspend yet", control.ask("info").get(0));
            FoundServices.RELEASED.release(2);
            Patience.until("it returns", () -> control.ask("suspend other").get(0)
                    .equals("service other is suspended"));
            assertEquals("404", get(client, "/other"));
            stop(web, client);
        }
    }

    /** Nor does the one after it, meanwhile. */
    @Test
    void oneThatBlocksWhileItIsSuspendedByTheFileServesNothing() throws Exception {
        try (WebSample web = start(); HttpClientSocket client = web.connect()) {
            ControlClient control = ControlClient.of(web);
            configure("service-timeout = 60", "service = one mark=2 blocks=suspend", "service = other mark=3",
                    "suspended = one,other");
            Background<List<String>> reload = Background.run(() -> control.ask("reload"));
            Patience.until("it blocks", FoundServices.RELEASED::hasQueuedThreads);
            assertEquals("404", get(client, "/other"));
            FoundServices.RELEASED.release();
            assertEquals(List.of("ok: configuration 2 is active"), reload.result());
            assertEquals("404", get(client, "/one"));
            assertEquals("404", get(client, "/other"));
            Patience.until("the first one ends", () -> FoundServices.CALLED.equals(List.of("init one 1", "init one 2",
                    "init other 3", "suspend one 2", "suspend other 3", "fini one 1")));
            stop(web, client);
        }
    }

    /** It asks for an answer of the thread that waits for it. */
    @Test
    void oneThatCallsTheConfiguratorIsGivenUp() throws Exception {
        try (WebSample web = start(); HttpClientSocket client = web.connect()) {
            ControlClient control = ControlClient.of(web);
            assertEquals(List.of("error: " + config + ":3: --service other cannot begin: " + TIMEOUT),
                    controlOf(control, "service-timeout = 0.1",
                            "service = other mark=2 asks=" + control.address().getPort()));
            Patience.until("it gets its answer and ends", () -> FoundServices.CALLED.equals(
                    List.of("init one 1", "init other 2", "fini other 2")));
            assertAsBefore(client, control);
            stop(web, client);
        }
    }

    @Test
    void oneThatCannotSayAnythingIsListed() throws Exception {
        try (WebSample web = start(); HttpClientSocket client = web.connect()) {
            ControlClient control = ControlClient.of(web);
            assertEquals(List.of("ok: configuration 2 is active"), control.ask("init one fails=info"));
            assertEquals(List.of("service one active has failed to say: java.lang.IllegalStateException: info of one"),
                    control.ask("info"));
            stop(web, client);
        }
    }

    /** Two administrators at once, who do not agree, while filters come and go. */
    @Test
    void servicesAndFiltersChangeUnderLoad() throws Exception {
        int rounds = Depth.times(5, 10, 200);
        AtomicBoolean over = new AtomicBoolean();
        List<Background<Boolean>> all = new ArrayList<>();
        try (WebSample web = start()) {
            ControlClient control = ControlClient.of(web);
            for (int i = 0; i < 2; i++) {
                all.add(Background.run(() -> load(web, over)));
            }
            all.add(Background.run(() -> {
                while (!over.get()) {
                    for (String command : List.of("init other mark=2", "suspend other", "resume other", "suspend one",
                            "resume one", "fini other")) {
                        String answer = control.ask(command).get(0);
                        assertTrue(answer.matches("ok: configuration \\d+ is active|service \\w+ is \\w+( already)?|"
                                + "error: there is no service 'other'"), answer);
                    }
                }
                return true;
            }));
            try {
                for (int i = 1; i <= rounds; i++) {
                    configure("service = one mark=1", "filters = " + (i % 2 == 0 ? "ranges,middle" : "gate,ranges"));
                    control.reload();
                }
            } finally {
                over.set(true);
            }
            for (Background<Boolean> each : all) {
                assertTrue(each.result());
            }
            web.process().stop();
            assertEquals(0, web.process().errors().text().lines().filter(line -> line.startsWith("\tat ")).count());
        }
        Patience.until("as many ends as beginnings", () -> count("init") == count("fini"));
    }

    private static boolean load(WebSample web, AtomicBoolean over) throws Exception {
        try (HttpClientSocket client = web.connect()) {
            while (!over.get()) {
                String mark = get(client, "/one");
                assertTrue(mark.equals("1") || mark.equals("404"), mark);
                HttpClientSocket.Received part = client.get("/file", "Range: bytes=1-2").receive();
                String content = part.status() + " " + new String(part.content(), US_ASCII);
                assertTrue(content.equals("206 12"), content);
            }
            client.hangUp();
        }
        return true;
    }

    private static long count(String hook) {
        return FoundServices.CALLED.stream().filter(each -> each.startsWith(hook)).count();
    }
}
