package dev.sluice.samples.haboob;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import dev.sluice.samples.io.CountedMemory;
import dev.sluice.samples.web.files.CacheStrategy;
import dev.sluice.samples.web.files.CachedFileSystem;
import dev.sluice.samples.web.files.DocumentRoot;
import dev.sluice.samples.web.files.FileOptions;
import dev.sluice.samples.web.protocol.FileHandler;
import dev.sluice.samples.web.protocol.HttpClock;
import dev.sluice.samples.web.protocol.Pipeline;
import dev.sluice.samples.web.protocol.Reply;
import dev.sluice.samples.web.protocol.Request;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageOptions;
import dev.sluice.stages.StopReport;
import dev.sluice.stages.io.FileStage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Those stages of Haboob that a page goes through, one thread each, without connections. */
final class PageStages implements AutoCloseable {

    /** Of the page cache, of which a page may have {@link #LARGEST}. */
    static final int BLOCKS = 8;
    static final int LARGEST = 2;

    private static final int CAPACITY = 64;

    final Pages pages = new Pages(BLOCKS);
    private final StageGraph graph = new StageGraph("pages");
    private final CachedFileSystem files;
    private final Pipeline pipeline;
    private final Stage<PageCacheEvent> cache;
    private final Map<String, Runnable> before = new ConcurrentHashMap<>();
    private final Map<String, Runnable> after = new ConcurrentHashMap<>();
    /** Guarded by itself. */
    private final List<String> order = new ArrayList<>();

    /**
     * Starts them.
     *
     * @param root   the directory of the files
     * @param misses how many events CacheMiss has room for
     */
    PageStages(Path root, int misses) throws IOException {
        files = new CachedFileSystem(new DocumentRoot(root),
                FileOptions.of(CacheStrategy.NONE, 1, Duration.ofSeconds(1)));
        FileHandler handler = new FileHandler(files, false);
        pipeline = new Pipeline(new HttpClock(Clock.systemUTC()), (request, reply) -> find(handler, request, reply),
                List.of());
        cache = graph.add(StageName.PAGE_CACHE, PageCacheEvent.class, new PageCache(pages),
                new StageOptions<PageCacheEvent>().capacity(CAPACITY).ownThreads(1, 1));
        FileStage fileStage = FileStage.blocking(graph, StageName.FILE_IO, CAPACITY);
        graph.add(StageName.CACHE_MISS, Object.class, new CacheMiss(pages, fileStage),
                new StageOptions<>().capacity(misses).ownThreads(1, 1));
        graph.add(StageName.HTTP_SEND, Object.class, new HttpSend(), new StageOptions<>().capacity(CAPACITY).direct());
        graph.start();
    }

    PageStages(Path root) throws IOException {
        this(root, CAPACITY);
    }

    private void find(FileHandler handler, Request request, Reply reply) {
        happened("find " + request.path());
        before.getOrDefault(request.path(), () -> { }).run();
        handler.handle(request, reply);
        after.getOrDefault(request.path(), () -> { }).run();
    }

    /** Sets an action to run each time before a file is looked for. */
    void before(String path, Runnable action) {
        before.put(path, action);
    }

    /** Sets an action to run each time between finding a file and reading it. */
    void after(String path, Runnable action) {
        after.put(path, action);
    }

    /** Lets CacheMiss wait whenever it looks for this file. */
    CountDownLatch holdMisses(String path) {
        CountDownLatch open = new CountDownLatch(1);
        before(path, () -> await(open));
        return open;
    }

    /** Lets PageCache wait: the events that come until the latch opens are one batch. */
    CountDownLatch holdCache() {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        ask(new PageExchange("GET /gone", pipeline, () -> {
            entered.countDown();
            await(open);
            return true;
        }, made -> { }));
        await(entered);
        return open;
    }

    static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    PageExchange get(String path) {
        return ask("GET " + path);
    }

    PageExchange ask(String line) {
        return ask(new PageExchange(line, pipeline, () -> false, made -> happened("made " + made.request().path())));
    }

    /** Asks for a client who has gone meanwhile. */
    PageExchange getPointlessly(String path) {
        return ask(new PageExchange("GET " + path, pipeline, () -> true,
                made -> happened("made " + made.request().path())));
    }

    private PageExchange ask(PageExchange exchange) {
        PageKey key = new PageKey(exchange.request().path(), -1, pipeline);
        assertEquals(EnqueueResult.ACCEPTED, cache.queue().enqueue(new PageRequest(exchange, key)));
        return exchange;
    }

    /** {@return the number of events PageCache that has been given} */
    long accepted() {
        return cache.accepted();
    }

    private void happened(String what) {
        synchronized (order) {
            order.add(what);
        }
    }

    /** {@return what has happened, in its order: files were looked for, and replies made} */
    List<String> order() {
        synchronized (order) {
            return List.copyOf(order);
        }
    }

    void forgetOrder() {
        synchronized (order) {
            order.clear();
        }
    }

    /** Checks that all of the memory is with the cache, which gives it away when it is needed. */
    void assertNothingHeld() {
        CountedMemory all = pages.take((long) BLOCKS * PageMemory.BLOCK);
        assertNotNull(all, () -> "memory is still held: " + pages.figures());
        all.release();
        assertEquals(0, pages.figures().used());
        assertEquals(0, pages.figures().pages());
    }

    @Override
    public void close() {
        StopReport report = graph.stop(Patience.LIMIT);
        assertTrue(report.isDrained(), report::toString);
        files.close();
        graph.stages().forEach(stage -> assertEquals(0, stage.discarded(), stage::name));
    }
}
