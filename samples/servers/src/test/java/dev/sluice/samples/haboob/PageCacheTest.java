package dev.sluice.samples.haboob;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.handle.FaultInjection;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The order in which pages are served, which requests wait for which, and pages that cannot be read. */
@EnabledOnOs(OS.LINUX)
class PageCacheTest {

    /** Memory is left for this many short pages that are all read again. */
    private static final int WAITERS = 5;
    private static final int LONG = PageStages.LARGEST * PageMemory.BLOCK;
    private static final int MIDDLE = PageMemory.BLOCK;
    private static final int SHORT = 100;

    private final byte[] octets = RandomBytes.of(7, LONG);

    @TempDir
    private Path root;

    @BeforeEach
    void fill() throws IOException {
        write("long", LONG);
        write("middle", MIDDLE);
        write("short", SHORT);
        for (String name : new String[] {"a", "b", "c", "d", "e"}) {
            write(name, LONG);
        }
    }

    private void write(String name, int length) throws IOException {
        Files.write(root.resolve(name), Arrays.copyOf(octets, length));
    }

    private void assertSent(int length, PageExchange exchange) throws InterruptedException {
        PageExchange.Sent sent = exchange.send();
        assertEquals(200, sent.status());
        assertArrayEquals(Arrays.copyOf(octets, length), sent.content());
    }

    private static void assertStatus(int status, PageExchange exchange) throws InterruptedException {
        assertEquals(status, exchange.send().status());
    }

    /** Sends several requests for a page before its file is looked for. */
    private static List<PageExchange> together(PageStages stages, String path) throws Exception {
        return together(stages, path, () -> { });
    }

    /** Sends several requests for a page before its file is looked for; the first one then runs the action. */
    private static List<PageExchange> together(PageStages stages, String path, Runnable then) throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        stages.before(path, () -> {
            PageStages.await(open);
            if (first.getAndSet(false)) {
                then.run();
            }
        });
        List<PageExchange> all = new ArrayList<>();
        for (int i = 0; i <= WAITERS; i++) {
            all.add(stages.get(path));
        }
        Patience.until(() -> stages.pages.figures().toString(), () -> stages.pages.figures().shared() == WAITERS);
        open.countDown();
        return all;
    }

    // Order

    @Test
    void hitsComeBeforeMissesAndShortOnesBeforeLongOnes() throws Exception {
        try (PageStages stages = new PageStages(root)) {
            Patience.until("no page is compared with its file in the midst of it", () -> {
                for (String path : new String[] {"/long", "/middle", "/short"}) {
                    stages.get(path).send();
                }
                stages.forgetOrder();
                CountDownLatch open = stages.holdCache();
                List<PageExchange> batch = new ArrayList<>();
                for (String path : new String[] {"/none", "/long", "/nowhere", "/short", "/middle"}) {
                    batch.add(stages.get(path));
                }
                open.countDown();
                for (PageExchange each : batch) {
                    each.send();
                }
                List<String> order = stages.order();
                if (order.contains("find /short") || order.contains("find /middle") || order.contains("find /long")) {
                    // A second has passed since they were read.
                    return false;
                }
                assertEquals(List.of("made /short", "made /middle", "made /long"), order.subList(0, 3));
                assertEquals(List.of("find /none", "find /nowhere"),
                        order.stream().filter(each -> each.startsWith("find")).toList());
                return true;
            });
        }
    }

    @Test
    void whatHasBeenReadIsFirst() throws Exception {
        try (PageStages stages = new PageStages(root)) {
            assertSent(SHORT, stages.get("/short"));
            CountDownLatch readable = stages.holdMisses("/long");
            PageExchange miss = stages.get("/long");
            Patience.until("it is looked for", () -> stages.order().contains("find /long"));
            CountDownLatch open = stages.holdCache();
            PageExchange hit = stages.get("/short");
            long before = stages.accepted();
            stages.forgetOrder();
            readable.countDown();
            Patience.until("it has been read", () -> stages.accepted() > before);
            open.countDown();
            assertSent(SHORT, hit);
            assertSent(LONG, miss);
            assertEquals("made /long", stages.order().get(0));
        }
    }

    // Those who wait

    @Test
    void oneReadIsForAllWhoWait() throws Exception {
        try (PageStages stages = new PageStages(root)) {
            List<PageExchange> all = together(stages, "/a");
            for (PageExchange each : all) {
                each.awaitMade();
            }
            assertEquals(1, stages.order().stream().filter("find /a"::equals).count());
            // All of them have the same memory.
            assertEquals(Map.of("pages", 1, "page bytes", (long) LONG, "page hits", 0L, "page misses", WAITERS + 1L,
                    "page misses shared", (long) WAITERS, "page evictions", 0L), stages.pages.figures().byName());
            for (PageExchange each : all) {
                assertSent(LONG, each);
            }
            stages.assertNothingHeld();
        }
    }

    @Test
    void waitersLookThemselvesIfThereIsNoFile() throws Exception {
        try (PageStages stages = new PageStages(root)) {
            for (PageExchange each : together(stages, "/none")) {
                assertStatus(404, each);
            }
            assertEquals(WAITERS + 1, stages.order().stream().filter("find /none"::equals).count());
            stages.assertNothingHeld();
        }
    }

    @Test
    void closedConnectionsReadNothing() throws Exception {
        try (PageStages stages = new PageStages(root)) {
            stages.getPointlessly("/a").awaitMade();
            assertEquals(List.of("made /a"), stages.order());
            // No request waits for it.
            assertSent(LONG, stages.get("/a"));
        }
    }

    @Test
    void theHeadAloneNeedsNoMemory() throws Exception {
        try (PageStages stages = new PageStages(root)) {
            PageExchange.Sent sent = stages.ask("HEAD /a").send();
            assertEquals(200, sent.status());
            assertTrue(sent.head().contains("\r\nContent-Length: " + LONG + "\r\n"), sent.head());
            assertEquals(0, sent.content().length);
            assertEquals(0, stages.pages.figures().used());
        }
    }

    // Failures

    @Test
    void aDiskErrorIsForTheOneWhoReadAndTheOthersTryThemselves() throws Exception {
        try (FaultInjection faults = FaultInjection.install(); PageStages stages = new PageStages(root)) {
            faults.failNth("pread", 1, Errno.EIO);
            List<PageExchange> all = together(stages, "/short");
            assertStatus(503, all.get(0));
            for (PageExchange each : all.subList(1, all.size())) {
                assertSent(SHORT, each);
            }
            assertEquals(1, stages.pages.figures().pages());
            stages.assertNothingHeld();
        }
    }

    @Test
    void unreadableFileHoldsNoMemoryAndNoRequest() throws Exception {
        try (FaultInjection faults = FaultInjection.install(); PageStages stages = new PageStages(root)) {
            faults.failEach("pread", Errno.EIO);
            for (PageExchange each : together(stages, "/short")) {
                assertStatus(503, each);
            }
            assertEquals(0, stages.pages.figures().used());
            faults.heal();
            assertSent(SHORT, stages.get("/short"));
        }
    }

    @ParameterizedTest
    @CsvSource({"EACCES, 404", "EMFILE, 503", "EIO, 503"})
    void aFileThatCannotBeOpenedIsForTheOneWhoTried(Errno error, int status) throws Exception {
        try (FaultInjection faults = FaultInjection.install(); PageStages stages = new PageStages(root)) {
            List<PageExchange> all = together(stages, "/short", () -> faults.failNth("open", 1, error));
            assertStatus(status, all.get(0));
            for (PageExchange each : all.subList(1, all.size())) {
                assertSent(SHORT, each);
            }
            stages.assertNothingHeld();
        }
    }

    @Test
    void failedHandlerHoldsNoOtherRequest() throws Exception {
        try (PageStages stages = new PageStages(root)) {
            List<PageExchange> all = together(stages, "/short", () -> {
                throw new IllegalStateException("on purpose");
            });
            assertStatus(503, all.get(0));
            for (PageExchange each : all.subList(1, all.size())) {
                assertSent(SHORT, each);
            }
            stages.assertNothingHeld();
        }
    }

    @Test
    void aFileThatIsCutBeforeItIsReadIsNoPage() throws Exception {
        try (PageStages stages = new PageStages(root)) {
            stages.after("/a", () -> change(() -> write("a", SHORT)));
            assertStatus(503, stages.get("/a"));
            assertEquals(0, stages.pages.figures().used());
            assertSent(SHORT, stages.get("/a"));
            stages.assertNothingHeld();
        }
    }

    @Test
    void aFileThatGrowsBeforeItIsReadIsAsLongAsAnnouncedAndNewAfterwards() throws Exception {
        try (PageStages stages = new PageStages(root)) {
            write("a", SHORT);
            stages.after("/a", () -> change(() -> Files.write(root.resolve("a"),
                    Arrays.copyOfRange(octets, SHORT, MIDDLE), StandardOpenOption.APPEND)));
            PageExchange.Sent sent = stages.get("/a").send();
            assertEquals(200, sent.status());
            assertTrue(sent.head().contains("\r\nContent-Length: " + SHORT + "\r\n"), sent.head());
            assertArrayEquals(Arrays.copyOf(octets, SHORT), sent.content());
            stages.after("/a", () -> { });
            Patience.until("it is compared with its file", () ->
                    Arrays.equals(Arrays.copyOf(octets, MIDDLE), stages.get("/a").send().content()));
            stages.assertNothingHeld();
        }
    }

    @Test
    void aFileThatIsReplacedBeforeItIsReadIsWhole() throws Exception {
        byte[] other = RandomBytes.of(8, MIDDLE);
        Files.write(root.resolve("other"), other);
        try (PageStages stages = new PageStages(root)) {
            stages.after("/a", () -> change(() -> Files.move(root.resolve("other"), root.resolve("a"),
                    StandardCopyOption.REPLACE_EXISTING)));
            assertSent(LONG, stages.get("/a"));
            stages.after("/a", () -> { });
            Patience.until("it is compared with its file", () ->
                    Arrays.equals(other, stages.get("/a").send().content()));
            stages.assertNothingHeld();
        }
    }

    private interface Change {

        void make() throws IOException;
    }

    private static void change(Change change) {
        try {
            change.make();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // Room

    @Test
    void missesBeyondTheQueueAreRefused() throws Exception {
        try (PageStages stages = new PageStages(root, 2)) {
            CountDownLatch open = stages.holdMisses("/a");
            PageExchange held = stages.get("/a");
            Patience.until("it is looked for", () -> stages.order().contains("find /a"));
            List<PageExchange> others = new ArrayList<>();
            for (String path : new String[] {"/b", "/c", "/d", "/e"}) {
                others.add(stages.get(path));
            }
            // The first ones have the places.
            PageExchange.Sent refusal = others.get(3).send();
            assertEquals(503, refusal.status());
            assertTrue(refusal.mayBeTriedAgain(), refusal.head());
            open.countDown();
            assertSent(LONG, held);
            assertSent(LONG, others.get(0));
            others.get(1).send();
            others.get(2).send();
            // What has been read takes places, too, until it is sent.
            Patience.until("there is room again", () -> stages.get("/e").send().status() == 200);
            stages.assertNothingHeld();
        }
    }

    @Test
    void memoryIsUsedAgainOnlyAfterTheLastSend() throws Exception {
        try (PageStages stages = new PageStages(root)) {
            PageExchange slow = stages.get("/a").awaitMade();
            PageExchange slower = stages.get("/a").awaitMade();
            for (int i = 0; i < 3; i++) {
                for (String path : new String[] {"/b", "/c", "/d", "/e"}) {
                    assertSent(LONG, stages.get(path));
                }
            }
            assertTrue(stages.pages.figures().evictions() > 0, () -> stages.pages.figures().toString());
            assertSent(LONG, slow);
            for (String path : new String[] {"/b", "/c", "/d", "/e"}) {
                assertSent(LONG, stages.get(path));
            }
            assertSent(LONG, slower);
            stages.assertNothingHeld();
        }
    }

    @Test
    void asLongAsAllMemoryIsBeingSentOthersAreRefused() throws Exception {
        try (PageStages stages = new PageStages(root)) {
            List<PageExchange> slow = new ArrayList<>();
            for (String path : new String[] {"/a", "/b", "/c", "/d"}) {
                slow.add(stages.get(path).awaitMade());
            }
            assertEquals(stages.pages.figures().maximum(), stages.pages.figures().used());
            PageExchange.Sent refusal = stages.get("/e").send();
            assertEquals(503, refusal.status());
            assertTrue(refusal.mayBeTriedAgain(), refusal.head());
            // What is there is still served.
            assertSent(LONG, stages.get("/a"));
            assertSent(LONG, slow.get(0));
            assertSent(LONG, stages.get("/e"));
            for (PageExchange each : slow.subList(1, slow.size())) {
                assertSent(LONG, each);
            }
            stages.assertNothingHeld();
        }
    }
}
