package dev.sluice.stages.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.FileHandle;
import dev.sluice.proactor.ProactorContract;
import dev.sluice.stages.Decision;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.Reservation;
import dev.sluice.stages.SpaceListener;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageContext;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.StageOptions;
import dev.sluice.stages.StopReport;
import dev.sluice.stages.ThreadPoolController;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files as a stage: by blocking calls, and by each asynchronous demultiplexer. */
class FileStageTest extends ProactorContract {

    private static final int FILES = 8;
    private static final int THREADS = 4;
    /** Of a file, besides that it is opened and closed. */
    private static final int REQUESTS = 50;

    @TempDir
    Path directory;

    private StageGraph graph;
    private FileStage files;
    private final List<FileCompletion> completions = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private Stage<FileCompletion> application;

    private void run(boolean blocking, int capacity) {
        runInBackground();
        graph = own(new StageGraph("graph of a test"));
        run(blocking ? FileStage.blocking(graph, "files", FILES) : FileStage.on(graph, "files", FILES, proactor),
                capacity, new StageOptions<>());
    }

    private void run(FileStage stage, int capacity, StageOptions<FileCompletion> options) {
        files = stage;
        application = graph.add("application", FileCompletion.class, batch -> {
            for (FileCompletion next = batch.next(); next != null; next = batch.next()) {
                OtherThread.await(gate);
                completions.add(next);
            }
        }, options.capacity(capacity));
        graph.start();
    }

    private EventQueue<FileCompletion> queue() {
        return application.queue();
    }

    private List<FileCompletion> await(int count) {
        OtherThread.await(() -> completions.size() >= count);
        return completions;
    }

    private Path file(byte[] content) throws IOException {
        return Files.write(directory.resolve("file"), content);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void servesTheRequestsOfAFileInOrder(boolean blocking) throws Exception {
        run(blocking, 100);
        byte[] content = Bytes.random(1000);
        StagedFile file = new StagedFile(files, file(content), queue(), StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        ByteBuffer first = ByteBuffer.allocate(600);
        ByteBuffer second = ByteBuffer.allocate(600);
        ByteBuffer third = ByteBuffer.allocate(600);
        assertEquals(EnqueueResult.ACCEPTED, file.stat("stat"));
        file.read(first, "first");
        file.read(second, "second");
        file.read(third, "third");
        file.seek(990, "seek");
        file.write(ByteBuffer.wrap(Bytes.random(20)), "write");
        file.stat("stat again");
        assertEquals(EnqueueResult.ACCEPTED, file.close("close"));
        assertEquals(EnqueueResult.CLOSED, file.close("again"));
        assertEquals(EnqueueResult.CLOSED, file.read(first, "late"));
        await(9);
        assertEquals(List.of("[0, 1000, 600, 400, -1, 990, 20, 1010, 0]"),
                List.of(completions.stream().map(FileCompletion::result).toList().toString()));
        assertEquals("[null, stat, first, second, third, seek, write, stat again, close]",
                completions.stream().map(FileCompletion::token).toList().toString());
        assertTrue(completions.stream().allMatch(completion -> completion.cause() == null));
        assertEquals(FileOperation.OPEN, completions.get(0).operation());
        assertEquals(ByteBuffer.wrap(content, 0, 600), first.flip());
        assertEquals(ByteBuffer.wrap(content, 600, 400), second.flip());
        assertEquals(ByteBuffer.wrap(Bytes.random(20)), ByteBuffer.wrap(Files.readAllBytes(file.path()), 990, 20));
        assertEquals(0, files.files());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void reportsWhyItFails(boolean blocking) throws Exception {
        run(blocking, 100);
        StagedFile missing = new StagedFile(files, directory.resolve("missing"), queue());
        missing.read(ByteBuffer.allocate(1), "read");
        await(1);
        assertTrue(completions.get(0).cause().getMessage().contains("ENOENT"), completions.get(0).toString());
        OtherThread.await(() -> missing.stat("stat") == EnqueueResult.CLOSED);
        OtherThread.await(() -> files.files() == 0);
        StagedFile readable = new StagedFile(files, file(Bytes.random(3)), queue());
        readable.write(ByteBuffer.wrap(Bytes.random(3)), "write");
        OtherThread.await(() -> completions.stream().anyMatch(completion -> "write".equals(completion.token())));
        FileCompletion write = completions.get(completions.size() - 1);
        assertNotNull(write.cause());
        assertEquals(0, write.result());
        assertThrows(IllegalArgumentException.class, () -> readable.seek(-1, null));
        assertThrows(NullPointerException.class, () -> readable.read(null, null));
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void aWriteOfNothingFails() throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            run(true, 100);
            faults.returnNth("pwrite", 1, 0);
            StagedFile file = new StagedFile(files, file(Bytes.random(3)), queue(), StandardOpenOption.WRITE);
            file.write(ByteBuffer.wrap(Bytes.random(3)), "write");
            file.close("close");
            await(3);
            IOException cause = completions.get(1).cause();
            assertNotNull(cause);
            assertTrue(cause.getMessage().contains("none of the last 3 bytes"), cause.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void hasBounds(boolean blocking) throws Exception {
        gate = new CountDownLatch(1);
        run(blocking, 1);
        List<StagedFile> all = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            all.add(new StagedFile(files, file(Bytes.random(3)), queue()));
        }
        IOException refused = assertThrows(IOException.class, () -> new StagedFile(files, all.get(0).path(), queue()));
        assertTrue(refused.getMessage().endsWith("8 files are open in files, which is the maximum"),
                refused::getMessage);
        // The application takes nothing, so that at most three completions are on their way out.
        int accepted = 0;
        while (all.get(0).stat(accepted) == EnqueueResult.ACCEPTED) {
            accepted++;
        }
        assertTrue(accepted >= StagedFile.MAX_PENDING_REQUESTS - 1 && accepted <= StagedFile.MAX_PENDING_REQUESTS + 2,
                "" + accepted);
        all.forEach(file -> file.close(null));
        gate.countDown();
        int expected = 2 * FILES + accepted;
        await(expected);
        OtherThread.await(() -> files.files() == 0);
        assertEquals(expected, completions.size());
        assertTrue(completions.stream().allMatch(completion -> completion.cause() == null));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theStopPerformsWhatWasAccepted(boolean blocking) throws Exception {
        run(blocking, 100);
        StagedFile file = new StagedFile(files, directory.resolve("new"), queue(), StandardOpenOption.WRITE,
                StandardOpenOption.CREATE);
        for (int i = 0; i < 50; i++) {
            assertEquals(EnqueueResult.ACCEPTED, file.write(ByteBuffer.wrap(Bytes.random(1000)), i));
        }
        assertTrue(graph.stop(LIMIT).isDrained());
        assertEquals(50_000, Files.size(file.path()));
        assertEquals(0, files.files());
        assertEquals(EnqueueResult.CLOSED, file.stat("late"));
    }

    /** The only thread that could perform the request is held up, or the loop, until the stop waits for it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theStopLeavesAStageTheTimeForItsCompletions(boolean blocking) throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        StageGraph second = own(new StageGraph("second graph"));
        Stage<FileCompletion> holding = second.add("holding", FileCompletion.class, batch -> {
            batch.next();
            held.countDown();
            OtherThread.await(release);
        }, new StageOptions<FileCompletion>().direct());
        second.start();
        runInBackground();
        graph = own(new StageGraph("graph of a test"));
        files = blocking ? FileStage.blocking(graph, "files", FILES) : FileStage.on(graph, "files", FILES, proactor);
        Asking asking = new Asking(file(Bytes.random(3)));
        application = graph.add("application", FileCompletion.class, asking);
        graph.start();
        new StagedFile(files, file(Bytes.random(3)), holding.queue());
        OtherThread.await(held);
        asking.ask();
        OtherThread<StopReport> stop = OtherThread.start(() -> graph.stop(LIMIT));
        OtherThread.awaitWaiting(stop.thread());
        release.countDown();
        StopReport report = stop.result();
        assertTrue(report.isDrained(), report::toString);
        assertEquals(List.of(FileOperation.OPEN, FileOperation.STAT, FileOperation.CLOSE),
                completions.stream().map(FileCompletion::operation).toList());
        assertEquals(3, completions.get(1).result());
    }

    /** Asks for a file itself, so that its queue is open to the completions until it ends. */
    private final class Asking implements StageHandler<FileCompletion> {

        private final Path path;
        private EventQueue<FileCompletion> own;

        Asking(Path path) {
            this.path = path;
        }

        void ask() throws IOException {
            new StagedFile(files, path, own).stat(null);
        }

        @Override
        public void handleStart(StageContext context) {
            own = context.queue("application", FileCompletion.class);
        }

        @Override
        public void handleEvents(EventBatch<FileCompletion> batch) {
            for (FileCompletion next = batch.next(); next != null; next = batch.next()) {
                completions.add(next);
                if (next.operation() == FileOperation.STAT) {
                    next.file().close(null);
                }
            }
        }
    }

    /** The only thread that could perform them is held up, or the loop. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void requestsLeftAtTheDeadlineAreReportedOnce(boolean blocking) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        List<FileCompletion> reported = new CopyOnWriteArrayList<>();
        StageGraph second = own(new StageGraph("second graph"));
        Stage<FileCompletion> holding = second.add("holding", FileCompletion.class, batch -> {
            batch.next();
            held.countDown();
            // Whatever the stop does to it.
            while (release.getCount() > 0) {
                Thread.yield();
            }
        }, new StageOptions<FileCompletion>().direct());
        // Its thread makes space, and so delivers further completions.
        Stage<FileCompletion> other = second.add("other", FileCompletion.class, batch -> reported.add(batch.next()),
                new StageOptions<FileCompletion>().capacity(2).batch(1));
        second.start();
        run(blocking, 1);
        new StagedFile(files, file(Bytes.random(3)), holding.queue());
        OtherThread.await(held);
        StagedFile file = new StagedFile(files, file(Bytes.random(3)), other.queue());
        for (int i = 0; i < 10; i++) {
            assertEquals(EnqueueResult.ACCEPTED, file.stat(i));
        }
        assertEquals(EnqueueResult.ACCEPTED, file.close("close"));
        assertFalse(graph.stop(Duration.ZERO).isDrained());
        OtherThread.await(() -> reported.size() == 12);
        assertEquals("[null, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, close]",
                reported.stream().map(FileCompletion::token).toList().toString());
        reported.subList(0, 11).forEach(completion -> assertNotNull(completion.cause(), completion::toString));
        assertNull(reported.get(11).cause());
        assertEquals(EnqueueResult.CLOSED, file.stat("late"));
        release.countDown();
        OtherThread.await(() -> files.files() == 0);
        assertEquals(12, reported.size());
    }

    /** The only thread that could perform them is held up, or the loop. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void queueThatThrowsAfterTheStopLosesOneCompletion(boolean blocking) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        StageGraph second = own(new StageGraph("second graph"));
        Stage<FileCompletion> holding = second.add("holding", FileCompletion.class, batch -> {
            batch.next();
            held.countDown();
            // Whatever the stop does to it.
            while (release.getCount() > 0) {
                Thread.yield();
            }
        }, new StageOptions<FileCompletion>().direct());
        List<Object> reported = new CopyOnWriteArrayList<>();
        Stage<FileCompletion> throwing = second.add("throwing", FileCompletion.class, batch -> {
            for (FileCompletion next = batch.next(); next != null; next = batch.next()) {
                reported.add(next.token());
            }
        }, new StageOptions<FileCompletion>().admission((completion, length) -> {
            if ("second".equals(completion.token())) {
                throw new IllegalStateException("in a test");
            }
            return true;
        }));
        second.start();
        run(blocking, 1);
        new StagedFile(files, file(Bytes.random(3)), holding.queue());
        OtherThread.await(held);
        StagedFile file = new StagedFile(files, file(Bytes.random(3)), throwing.queue());
        file.stat("first");
        file.stat("second");
        file.stat("third");
        file.close("close");
        assertFalse(graph.stop(Duration.ZERO).isDrained());
        OtherThread.await(() -> reported.contains("close"));
        assertEquals(Arrays.asList(null, "first", "third", "close"), reported);
        release.countDown();
        OtherThread.await(() -> files.files() == 0);
    }

    /** Otherwise there would be no bound for files whose completions are not taken. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closedFileKeepsItsPlaceUntilReported(boolean blocking) throws Exception {
        gate = new CountDownLatch(1);
        run(blocking, 1);
        List<StagedFile> all = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            all.add(new StagedFile(files, file(Bytes.random(3)), queue()));
        }
        OtherThread.await(() -> application.accepted() == 2);
        // One is being handled, one waits in the queue, and there is no room for the next one of any file.
        all.forEach(file -> file.close(null));
        OtherThread.await(() -> application.rejected() >= FILES);
        assertEquals(FILES, files.files());
        assertThrows(IOException.class, () -> new StagedFile(files, directory.resolve("file"), queue()));
        gate.countDown();
        await(2 * FILES);
        assertEquals(0, files.files());
    }

    @Tag(CalledSystem.NOT_WINDOWS)
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFileMayBeReadBeyondItsEndAndRemoved(boolean blocking) throws Exception {
        run(blocking, 100);
        StagedFile file = new StagedFile(files, file(Bytes.random(10)), queue(), StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        file.seek(5000, "seek");
        file.read(ByteBuffer.allocate(8), "nothing");
        file.write(ByteBuffer.wrap(Bytes.random(3)), "write");
        file.stat("stat");
        await(5);
        assertEquals("[0, 5000, -1, 3, 5003]",
                completions.stream().map(FileCompletion::result).toList().toString());
        Files.delete(file.path());
        ByteBuffer buffer = ByteBuffer.allocate(20);
        file.seek(0, "seek");
        file.read(buffer, "read");
        file.close("close");
        await(8);
        assertTrue(completions.stream().allMatch(completion -> completion.cause() == null), completions::toString);
        assertEquals(20, completions.get(6).result());
        assertEquals(ByteBuffer.wrap(Bytes.random(10)), buffer.flip().limit(10));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void filesDoNotHoldUpEachOther(boolean blocking) throws Exception {
        gate = new CountDownLatch(1);
        run(blocking, 1);
        StagedFile stuck = new StagedFile(files, file(Bytes.random(3)), queue());
        for (int i = 0; i < 10; i++) {
            stuck.stat(i);
        }
        List<FileCompletion> others = new CopyOnWriteArrayList<>();
        StageGraph second = own(new StageGraph("second graph"));
        Stage<FileCompletion> direct = second.add("direct", FileCompletion.class, batch -> {
            for (FileCompletion next = batch.next(); next != null; next = batch.next()) {
                others.add(next);
            }
        }, new StageOptions<FileCompletion>().direct());
        second.start();
        StagedFile free = new StagedFile(files, stuck.path(), direct.queue());
        free.stat("stat");
        free.close("close");
        OtherThread.await(() -> others.size() == 3);
        assertEquals(3, others.get(1).result());
        assertNull(others.get(1).cause());
        assertEquals(List.of(), completions);
        gate.countDown();
        await(11);
    }

    @Test
    void readsAFileThatIsOpenAlready() throws Exception {
        run(true, 100);
        byte[] content = Bytes.random(1000);
        try (FileHandle opened = FileHandle.open(file(content))) {
            for (int i = 1; i <= 2; i++) {
                StagedFile file = new StagedFile(files, directory.resolve("file"), opened, queue());
                ByteBuffer rest = ByteBuffer.allocate(1000);
                file.seek(400, "seek");
                file.read(rest, "read");
                file.close("close");
                await(3 * i);
                assertEquals(ByteBuffer.wrap(content, 400, 600), rest.flip());
                assertTrue(completions.stream().allMatch(completion -> completion.cause() == null));
                assertTrue(opened.handle().isOpen());
                OtherThread.await(() -> files.files() == 0);
            }
        }
    }

    @Test
    void takesNoOpenFileOnAProactor() throws Exception {
        run(false, 100);
        try (FileHandle opened = FileHandle.open(file(Bytes.random(1)))) {
            assertThrows(IllegalArgumentException.class,
                    () -> new StagedFile(files, directory.resolve("file"), opened, queue()));
        }
        assertEquals(0, files.files());
    }

    // Threads

    private int threads() {
        return graph.stages().get(0).threads();
    }

    private void openAndClose(int count, EventQueue<FileCompletion> queue) throws IOException {
        for (int i = 0; i < count; i++) {
            new StagedFile(files, directory.resolve("file"), queue).close(null);
        }
    }

    @Test
    void theControllerAddsAThreadWhenElevenFilesWait() throws Exception {
        graph = own(new StageGraph("graph of a test"));
        // However long they wait.
        FileStage stage = FileStage.blocking(graph, "files", 100, 1, 2,
                FileStage.newController().period(Duration.ofMillis(1)).oldest(Duration.ofHours(1)));
        CountDownLatch release = new CountDownLatch(1);
        Stage<FileCompletion> held = graph.add("held", FileCompletion.class, batch -> {
            batch.next();
            OtherThread.await(release);
        }, new StageOptions<FileCompletion>().direct());
        AtomicInteger looks = new AtomicInteger();
        run(stage, 1000, new StageOptions<FileCompletion>().control(sample -> {
            looks.incrementAndGet();
            return Decision.NOTHING;
        }));
        file(Bytes.random(3));
        // Its first completion holds the only thread.
        new StagedFile(files, directory.resolve("file"), held.queue());
        OtherThread.await(() -> held.accepted() == 1 && held.length() == 0);
        openAndClose(10, queue());
        // The same thread looks at one stage after the other.
        int before = looks.get();
        OtherThread.await(() -> looks.get() >= before + 3);
        assertEquals(1, threads());
        openAndClose(1, queue());
        OtherThread.await(() -> threads() == 2);
        release.countDown();
        await(2 * 11);
    }

    /** A queue that counts the threads that enqueue for each file. */
    private static final class WatchedQueue implements EventQueue<FileCompletion> {

        private final EventQueue<FileCompletion> queue;
        private final CyclicBarrier together = new CyclicBarrier(THREADS);
        private final Map<StagedFile, AtomicInteger> inside = new ConcurrentHashMap<>();
        /** How often a file had two threads. */
        private final AtomicInteger crowded = new AtomicInteger();

        WatchedQueue(EventQueue<FileCompletion> queue) {
            this.queue = queue;
        }

        @Override
        public EnqueueResult enqueue(FileCompletion event) {
            AtomicInteger here = inside.computeIfAbsent(event.file(), file -> new AtomicInteger());
            if (here.incrementAndGet() > 1) {
                crowded.incrementAndGet();
            }
            if (event.operation() == FileOperation.OPEN) {
                awaitOthers();
            } else {
                Thread.yield();
            }
            EnqueueResult result = queue.enqueue(event);
            here.decrementAndGet();
            return result;
        }

        /** Waits until all threads are in files at once. */
        private void awaitOthers() {
            try {
                together.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public EnqueueResult enqueueAll(List<? extends FileCompletion> events) {
            return queue.enqueueAll(events);
        }

        @Override
        public EnqueueResult enqueue(FileCompletion event, Duration timeout) throws InterruptedException {
            return queue.enqueue(event, timeout);
        }

        @Override
        public Reservation<FileCompletion> prepare(FileCompletion event) {
            return queue.prepare(event);
        }

        @Override
        public Reservation<FileCompletion> prepareAll(List<? extends FileCompletion> events) {
            return queue.prepareAll(events);
        }

        @Override
        public boolean notifyWhenHalfEmpty(SpaceListener notice) {
            return queue.notifyWhenHalfEmpty(notice);
        }

        @Override
        public void workStarted() {
            queue.workStarted();
        }

        @Override
        public void workFinished() {
            queue.workFinished();
        }

        @Override
        public boolean hasWaiters() {
            return queue.hasWaiters();
        }

        @Override
        public boolean isClosed() {
            return queue.isClosed();
        }

        @Override
        public int length() {
            return queue.length();
        }

        @Override
        public int threshold() {
            return queue.threshold();
        }
    }

    @Test
    void ofSeveralThreadsOneAtATimeServesAFile() throws Exception {
        graph = own(new StageGraph("graph of a test"));
        run(FileStage.blocking(graph, "files", FILES, THREADS, THREADS,
                new ThreadPoolController().threads(THREADS, THREADS)), 1000, new StageOptions<>());
        assertEquals(THREADS, threads());
        WatchedQueue watched = new WatchedQueue(queue());
        List<StagedFile> all = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            all.add(new StagedFile(files, directory.resolve("file " + i), watched, StandardOpenOption.WRITE,
                    StandardOpenOption.CREATE));
        }
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        List<String> expected = new ArrayList<>(List.of("0 open"));
        for (int i = 1; i <= REQUESTS; i++) {
            for (StagedFile file : all) {
                assertEquals(EnqueueResult.ACCEPTED, file.write(ByteBuffer.wrap(Bytes.random(i)), i));
            }
            content.writeBytes(Bytes.random(i));
            expected.add(i + " " + i);
        }
        all.forEach(file -> file.close("close"));
        expected.add("0 close");
        await(FILES * expected.size());
        for (StagedFile file : all) {
            assertEquals(expected, completions.stream().filter(completion -> completion.file() == file)
                    .map(completion -> completion.result() + " "
                            + (completion.operation() == FileOperation.OPEN ? "open" : completion.token())).toList());
            assertArrayEquals(content.toByteArray(), Files.readAllBytes(file.path()));
        }
        assertEquals(0, watched.crowded.get());
        assertEquals(THREADS, threads());
    }

    @Test
    void itsThreadsHaveRanges() {
        StageGraph unused = new StageGraph("graph of a test");
        ThreadPoolController controller = new ThreadPoolController();
        assertThrows(IllegalArgumentException.class,
                () -> FileStage.blocking(unused, "files", FILES, 0, 1, controller));
        assertThrows(IllegalArgumentException.class,
                () -> FileStage.blocking(unused, "files", FILES, 2, 1, controller));
        assertThrows(IllegalArgumentException.class, () -> FileStage.blocking(unused, "files", 0, 1, 1, controller));
        assertThrows(NullPointerException.class, () -> FileStage.blocking(unused, "files", FILES, 1, 1, null));
        assertEquals(List.of(), unused.stages());
    }
}
