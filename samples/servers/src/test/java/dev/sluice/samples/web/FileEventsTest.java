package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.campaign.Campaign;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * No loop of the servers that have files reads, writes or forces one with {@code java.io} or {@code java.nio}: JFR
 * records each such call. Of the library's own calls a decorated binding tells; see {@link WebFileThreadsTest}. What
 * JFR does not see is the opening of files and the listing of directories.
 *
 * <p>Exceptions: the first use of a class reads it from a file; and files below {@code /proc} are in memory, such as
 * the one in which io_uring looks once for the name of the loop's thread.
 */
@Tag(Campaign.TAG)
@EnabledOnOs(OS.LINUX)
class FileEventsTest {

    private static final List<String> EVENTS = List.of("jdk.FileRead", "jdk.FileWrite", "jdk.FileForce");
    private static final Predicate<String> LOOP = Pattern.compile("(web|gopher|haboob|logging|HttpParse)[- ]\\d+")
            .asMatchPredicate();
    private static final int REQUESTS = Campaign.count(40, 2_000);

    private final Recording recording = new Recording();

    @TempDir
    private Path directory;

    private Path root;

    @BeforeEach
    void begin() throws IOException {
        root = Files.createDirectories(directory.resolve("root"));
        Files.createDirectories(root.resolve("inbox"));
        for (int i = 0; i < 10; i++) {
            Files.writeString(root.resolve("page" + i + ".html"), "<p>".repeat(20_000 * i));
        }
        for (String event : EVENTS) {
            recording.enable(event).withThreshold(Duration.ZERO).withStackTrace();
        }
        recording.start();
    }

    @AfterEach
    void end() {
        recording.close();
    }

    /** {@return the events of loops} */
    private List<String> onLoops() throws IOException {
        recording.stop();
        Path file = directory.resolve("events.jfr");
        recording.dump(file);
        List<String> found = new ArrayList<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            String thread = event.getThread() == null ? "" : event.getThread().getJavaName();
            if (EVENTS.contains(event.getEventType().getName()) && thread != null && LOOP.test(thread)
                    && !loadsClass(event) && !isInMemory(event)) {
                found.add(event.toString());
            }
        }
        return found;
    }

    private static boolean isInMemory(RecordedEvent event) {
        return event.hasField("path") && event.getString("path") != null
                && event.getString("path").startsWith("/proc/");
    }

    private static boolean loadsClass(RecordedEvent event) {
        return event.getStackTrace() != null && event.getStackTrace().getFrames().stream()
                .map(frame -> frame.getMethod().getType().getName() + "." + frame.getMethod().getName())
                .anyMatch(method -> method.startsWith("java.lang.ClassLoader.loadClass")
                        || method.startsWith("jdk.internal.loader."));
    }

    private static void assertHasLoop(String name) {
        assertTrue(Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
                .anyMatch(thread -> thread.startsWith(name + "-") && LOOP.test(thread)), "no loop of " + name);
    }

    /** What the other tests look for is found where it is. */
    @Test
    void aReadOfALoopIsSeen() throws Exception {
        Thread loop = new Thread(() -> {
            try {
                Files.readAllBytes(root.resolve("page1.html"));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }, "web-0");
        loop.start();
        loop.join();
        List<String> found = onLoops();
        assertFalse(found.isEmpty());
        assertTrue(found.get(0).contains("page1.html"), found::toString);
    }

    @Test
    void noLoopOfAWebServerUsesFilesOfTheJdk() throws Exception {
        Campaign campaign = Campaign.begin("file events of web servers");
        List<WebDriver> drivers = Stream.concat(Stream.of(ConcurrencyStrategy.REACTOR_PER_THREAD,
                ConcurrencyStrategy.PROACTOR_PER_THREAD).map(WebDriver::of), WebDriver.haboobs()).toList();
        for (WebDriver driver : drivers) {
            Path config = Files.writeString(directory.resolve("conf"), "cache = lru\n");
            try (WebSample web = WebSample.serve(root, driver, "--listing", "--put", "/inbox", "--status", "/status",
                    "--access-log", directory.resolve("access").toString(), "--config", config.toString(), "--control",
                    "0")) {
                web.address();
                assertHasLoop(driver.arguments().get(0));
                ControlClient control = ControlClient.of(web);
                Random random = campaign.random(drivers.indexOf(driver));
                for (int i = 0; i < REQUESTS; i++) {
                    if (i % 20 == 0) {
                        control.reload();
                    }
                    request(web, random, i);
                }
            }
        }
        assertEquals(List.of(), onLoops());
    }

    private static void request(WebSample web, Random random, int number) throws Exception {
        String page = "/page" + random.nextInt(11) + ".html";
        try (HttpClientSocket client = web.connect()) {
            String coding = random.nextBoolean() ? "Accept-Encoding: gzip" : "Accept-Encoding: identity";
            switch (number % 8) {
                case 0, 1 -> client.get(page, coding).receive();
                case 2 -> client.get(page, "Range: bytes=" + random.nextInt(100) + "-5000").receive();
                case 3 -> client.get(random.nextBoolean() ? "/inbox/" : "/").receive();
                case 4 -> client.get("/status").receive();
                case 5 -> client.get("/none/" + number).receive();
                case 6 -> client.send(HttpClientSocket.request("PUT", "/inbox/" + random.nextInt(5),
                        "Content-Length: 100000") + "x".repeat(100_000)).receive();
                // It leaves in the midst.
                default -> client.send(HttpClientSocket.request("PUT", "/inbox/part", "Content-Length: 200000")
                        + "x".repeat(100_000));
            }
        }
    }

    @Test
    void noLoopOfGopherUsesFilesOfTheJdk() throws Exception {
        try (RunningSample gopher = SampleCommand.of("gopher", root.toString(), "--port", "0", "--access-log",
                directory.resolve("access").toString()).start()) {
            InetSocketAddress address = gopher.awaitAddress();
            assertHasLoop("gopher");
            for (int i = 0; i < REQUESTS; i++) {
                String selector = List.of("", "/inbox", "/page" + i % 10 + ".html", "/none").get(i % 4);
                try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                    socket.getOutputStream().write((selector + "\r\n").getBytes(UTF_8));
                    socket.getInputStream().readAllBytes();
                }
            }
        }
        assertEquals(List.of(), onLoops());
    }

    /** Its records are its purpose, and even they are written by a thread of their own. */
    @Test
    void noLoopOfTheLoggingServerUsesFilesOfTheJdk() throws Exception {
        Path file = directory.resolve("log");
        try (RunningSample logging = SampleCommand.of("logging", "--port", "0", "--file", file.toString()).start();
                DatagramSocket datagrams = new DatagramSocket()) {
            InetSocketAddress address = logging.awaitAddress();
            assertHasLoop("logging");
            byte[] record = "<13>record".getBytes(US_ASCII);
            try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                for (int i = 0; i < REQUESTS; i++) {
                    datagrams.send(new DatagramPacket(record, record.length, address));
                    socket.getOutputStream().write("<13>record\n".getBytes(US_ASCII));
                    if (i % 20 == 0) {
                        logging.hangUp();
                    }
                }
            }
            Patience.until("the records are written", () -> Files.size(file) >= REQUESTS * (record.length + 1L));
        }
        assertEquals(List.of(), onLoops());
    }
}
