package dev.sluice.samples.web.files;

import static dev.sluice.samples.web.files.Scenery.entry;
import static dev.sluice.samples.web.files.Scenery.isOpen;
import static dev.sluice.samples.web.files.Scenery.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform;
import dev.sluice.handle.FaultInjection;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a cache hears of changes; it would look for itself only after an hour, on a clock that stands still. */
@EnabledOnOs(OS.LINUX)
class FileWatchTest {

    private static final Duration INTERVAL = Duration.ofHours(1);
    private static final long TIMEOUT = Duration.ofSeconds(30).toNanos();

    @TempDir
    Path base;

    private final AtomicLong time = new AtomicLong();
    private Path root;
    private long queues;
    private CachedFileSystem files;

    @BeforeEach
    void layOut() throws IOException {
        root = Files.createDirectory(base.resolve("root"));
        Files.createDirectories(root.resolve("sub/deep"));
        write("a", "a");
        write("sub/deep/b", "b");
        queues = queues();
        files = cache(100, 100);
    }

    private CachedFileSystem cache(int capacity, int directories) throws IOException {
        return cache(new DocumentRoot(root), capacity, directories);
    }

    private CachedFileSystem cache(DocumentRoot documents, int capacity, int directories) {
        FileOptions options = new FileOptions(CacheStrategy.LRU, capacity, INTERVAL, 1 << 20,
                List.of("first.html", "index.html"), MediaTypes.BUILT_IN, List.of(), 1000);
        CachedFileSystem cache = new CachedFileSystem(documents, options, time::get);
        cache.watch(directories);
        return cache;
    }

    @AfterEach
    void leavesNothingBehind() throws Exception {
        files.close();
        assertEquals(queues, queues(), "queues of inotify that are open");
        assertFalse(Thread.getAllStackTraces().keySet().stream().anyMatch(
                thread -> thread.getName().equals("file-watch")), "a thread is left");
    }

    private static long queues() throws IOException {
        return open("inotify");
    }

    /** {@return the number of descriptors open of what is called so, at its end} */
    private static long open(String name) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(each -> {
                try {
                    return Files.readSymbolicLink(each).toString().endsWith(name);
                } catch (IOException e) {
                    return false;
                }
            }).count();
        }
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(root.resolve(name), text);
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + TIMEOUT;
        while (!condition.call()) {
            assertTrue(System.nanoTime() - end < 0, what);
            Thread.sleep(1);
        }
    }

    private void awaitText(String path, String text) throws Exception {
        await(path + " does not become " + text, () -> {
            if (files.lookup(path) instanceof FileEntry found) {
                String now = text(found);
                found.release();
                return now.equals(text);
            }
            return false;
        });
    }

    private void awaitAbsence(String path) throws Exception {
        await(path + " is still there", () -> {
            if (files.lookup(path) instanceof FileEntry found) {
                found.release();
                return false;
            }
            return true;
        });
    }

    /** A directory would be watched even though nothing is found in it. */
    @Test
    void doesNotAskForNamesThatWindowsTakesForOthers() throws Exception {
        Files.createDirectory(root.resolve("aux"));
        write("aux/b", "b");
        assertEquals("b", text(files, "/aux/b"));
        assertEquals(2, files.watched());
        try (CachedFileSystem windows = cache(new DocumentRoot(root, Platform.Os.WINDOWS), 100, 100)) {
            assertEquals(NoFile.ABSENT, windows.lookup("/aux/b"));
            assertEquals(1, windows.watched());
        }
    }

    @Test
    void overwritten() throws Exception {
        assertEquals("b", text(files, "/sub/deep/b"));
        write("sub/deep/b", "c");
        awaitText("/sub/deep/b", "c");
        assertEquals(3, files.watched());
    }

    @Test
    void replaced() throws Exception {
        assertEquals("a", text(files, "/a"));
        write("new", "other");
        Files.move(root.resolve("new"), root.resolve("a"), StandardCopyOption.REPLACE_EXISTING);
        awaitText("/a", "other");
    }

    @Test
    void cut() throws Exception {
        assertEquals("a", text(files, "/a"));
        try (FileChannel channel = FileChannel.open(root.resolve("a"), StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
        awaitText("/a", "");
    }

    @Test
    void removedAndMadeAnew() throws Exception {
        assertEquals("a", text(files, "/a"));
        Files.delete(root.resolve("a"));
        awaitAbsence("/a");
        write("a", "again");
        awaitText("/a", "again");
    }

    @Test
    void aBetterIndexPage() throws Exception {
        write("sub/index.html", "index");
        assertEquals("index", text(files, "/sub/"));
        write("sub/first.html", "first");
        awaitText("/sub/", "first");
        Files.delete(root.resolve("sub/first.html"));
        awaitText("/sub/", "index");
    }

    /** That there was none is remembered, too. */
    @Test
    void aCodedFileThatThereWasNot() throws Exception {
        write("sub/index.html", "index");
        for (String path : List.of("/a", "/sub/")) {
            FileEntry plain = entry(files, path);
            assertNull(files.coded(plain, ContentCoding.BR));
            write(plain.name().substring(1) + ".br", "coded");
            await("the coded file is not found", () -> {
                FileEntry coded = files.coded(plain, ContentCoding.BR);
                if (coded != null) {
                    coded.release();
                }
                return coded != null;
            });
            plain.release();
        }
    }

    @Test
    void aDirectoryIsRenamedAndAnotherTakesItsPlace() throws Exception {
        assertEquals("b", text(files, "/sub/deep/b"));
        Files.createDirectories(root.resolve("other/deep"));
        write("other/deep/b", "c");
        Files.move(root.resolve("sub"), root.resolve("old"));
        awaitAbsence("/sub/deep/b");
        assertEquals("b", text(files, "/old/deep/b"));
        Files.move(root.resolve("other"), root.resolve("sub"));
        awaitText("/sub/deep/b", "c");
        write("sub/deep/b", "d");
        awaitText("/sub/deep/b", "d");
        write("old/deep/b", "e");
        awaitText("/old/deep/b", "e");
    }

    @Test
    void theRootItselfIsRenamed() throws Exception {
        FileEntry entry = entry(files, "/a");
        entry.release();
        Files.move(root, base.resolve("elsewhere"));
        awaitAbsence("/a");
        await("it is not closed", () -> !isOpen(entry));
    }

    /** What a link leads to can change anywhere, and is looked at now and then; the link itself is watched. */
    @Test
    void links() throws Exception {
        Files.createSymbolicLink(root.resolve("link"), Path.of("sub/deep"));
        assertEquals("b", text(files, "/link/b"));
        assertEquals(1, files.watched());
        // Of another length: in the same tick of the file system's clock, nothing else might tell them apart.
        write("sub/deep/b", "longer");
        time.addAndGet(INTERVAL.toNanos());
        assertEquals("longer", text(files, "/link/b"));
        Files.createDirectory(root.resolve("else"));
        write("else/b", "else");
        Files.createSymbolicLink(root.resolve("newer"), Path.of("else"));
        Files.move(root.resolve("newer"), root.resolve("link"), StandardCopyOption.REPLACE_EXISTING);
        awaitText("/link/b", "else");
    }

    @Test
    void aFileThatIsInUseStaysOpen() throws Exception {
        FileEntry sending = entry(files, "/a");
        Files.delete(root.resolve("a"));
        awaitAbsence("/a");
        assertEquals("a", text(sending));
        sending.release();
        // The cache has dropped it, and releases it next.
        await("it is not closed", () -> !isOpen(sending));
    }

    @Test
    void whatHasNotChangedStays() throws Exception {
        FileEntry before = entry(files, "/a");
        before.release();
        assertEquals("b", text(files, "/sub/deep/b"));
        write("sub/deep/b", "c");
        awaitText("/sub/deep/b", "c");
        FileEntry after = entry(files, "/a");
        after.release();
        assertSame(before, after);
    }

    @Test
    void asManyDirectoriesAreWatchedAsThereMayBe() throws Exception {
        files.close();
        files = cache(2, 4);
        for (int i = 0; i < 20; i++) {
            Files.createDirectory(root.resolve("d" + i));
            write("d" + i + "/f", "before");
        }
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 20; i++) {
                assertEquals("before", text(files, "/d" + i + "/f"));
                assertTrue(files.watched() <= 4, "watches");
            }
        }
        // Two files are kept, so that there is a watch left for the directory of the next.
        await("no watch is given up", () -> {
            for (int i = 0; i < 20; i++) {
                text(files, "/d" + i + "/f");
            }
            text(files, "/d7/f");
            write("d7/f", "after" + System.nanoTime());
            String now = Files.readString(root.resolve("d7/f"));
            long end = System.nanoTime() + Duration.ofMillis(200).toNanos();
            while (System.nanoTime() - end < 0) {
                if (text(files, "/d7/f").equals(now)) {
                    return true;
                }
            }
            return false;
        });
    }

    @Test
    void withoutACacheNothingIsWatched() throws Exception {
        try (CachedFileSystem none = new CachedFileSystem(new DocumentRoot(root),
                FileOptions.of(CacheStrategy.NONE, 1, INTERVAL))) {
            none.watch(10);
            assertEquals("a", text(none, "/a"));
            assertEquals(0, none.watched());
        }
    }

    @Test
    void closedInTheMomentInWhichItBeginsOrWhileFilesChange() throws Exception {
        for (int i = 0; i < 50; i++) {
            try (CachedFileSystem other = cache(10, 10)) {
                if (i % 2 == 0) {
                    assertEquals("b", text(other, "/sub/deep/b"));
                    write("sub/deep/b", "b");
                }
            }
        }
    }

    /** So many hints that it takes a while from the opening of a file until it is kept. */
    @Test
    void aChangeWhileTheFileIsLookedUp() throws Exception {
        files.close();
        FileOptions options = new FileOptions(CacheStrategy.HINTED, 10, INTERVAL, 0, List.of("index.html"),
                MediaTypes.BUILT_IN, Collections.nCopies(4_000_000, "/nowhere/"), 0);
        files = new CachedFileSystem(new DocumentRoot(root), options, time::get);
        files.watch(10);
        FutureTask<String> lookup = new FutureTask<>(() -> text(files, "/a"));
        new Thread(lookup, "lookup").start();
        await("it is not opened", () -> open("/root/a") > 0);
        write("a", "new");
        lookup.get();
        awaitText("/a", "new");
    }

    /** Holds up the thread that listens, until the queue is full. */
    private static final class Slow implements ChangeListener {

        private final CountDownLatch notified = new CountDownLatch(1);
        private final CountDownLatch proceed = new CountDownLatch(1);
        private final CountDownLatch lost = new CountDownLatch(1);

        @Override
        public void changed(String directory, String name, boolean below) {
            notified.countDown();
            try {
                proceed.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void anythingChanged() {
            lost.countDown();
        }

        @Override
        public Set<String> wanted() {
            return Set.of("/");
        }
    }

    @Test
    void whenEventsAreLostAnythingMayHaveChanged() throws Exception {
        int limit = Integer.parseInt(Files.readAllLines(Path.of("/proc/sys/fs/inotify/max_queued_events")).get(0));
        Slow listener = new Slow();
        FileWatch watch = FileWatch.begin(new DocumentRoot(root), 10, listener);
        try {
            assertNotNull(watch);
            watch.watch("/sub/x");
            Path file = root.resolve("a");
            // What it has taken before it is held up does not count.
            for (int i = 0; i < 2 * limit; i++) {
                file = Files.move(file, root.resolve("a" + i));
            }
            assertTrue(listener.notified.await(TIMEOUT, TimeUnit.NANOSECONDS), "no change was reported");
            assertEquals(1, listener.lost.getCount());
            listener.proceed.countDown();
            assertTrue(listener.lost.await(TIMEOUT, TimeUnit.NANOSECONDS), "the loss was not reported");
            await("watches are left that may be wrong", () -> watch.size() == 0);
            assertTrue(watch.changes() > limit);
        } finally {
            listener.proceed.countDown();
            watch.close();
        }
        watch.watch("/sub/x");
    }

    @Test
    void whenEventsAreLostEverythingIsDropped() throws Exception {
        files.close();
        int limit = Integer.parseInt(Files.readAllLines(Path.of("/proc/sys/fs/inotify/max_queued_events")).get(0));
        Semaphore reads = new Semaphore(0);
        try (FaultInjection faults = FaultInjection.install()) {
            faults.before("read", reads::acquireUninterruptibly);
            files = cache(10, 10);
            assertEquals("b", text(files, "/sub/deep/b"));
            FileEntry untouched = entry(files, "/a");
            untouched.release();
            Path file = Files.createFile(root.resolve("sub/file"));
            for (int i = 0; i <= limit; i++) {
                file = Files.move(file, root.resolve("sub/file" + i));
            }
            assertTrue(isOpen(untouched));
            reads.release(Integer.MAX_VALUE / 2);
            await("it is kept, though it is unknown whether it has changed", () -> !isOpen(untouched));
            assertEquals("a", text(files, "/a"));
            write("a", "noticed");
            awaitText("/a", "noticed");
        } finally {
            reads.release(Integer.MAX_VALUE / 2);
        }
    }

    @Test
    void aSystemWithoutAQueueLeft() throws Exception {
        files.close();
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failNth("inotify_init1", 1, Errno.EMFILE);
            files = cache(10, 10);
            assertEquals("a", text(files, "/a"));
            assertEquals(0, files.watched());
            write("a", "later");
            time.addAndGet(INTERVAL.toNanos());
            assertEquals("later", text(files, "/a"));
        }
    }

    @Test
    void aSystemWithoutAWatchLeft() throws Exception {
        files.close();
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failNth("inotify_add_watch", 3, Errno.ENOSPC);
            files = cache(10, 10);
            assertEquals("b", text(files, "/sub/deep/b"));
            assertEquals(2, files.watched(), "the root and /sub/");
            assertEquals("a", text(files, "/a"));
            write("a", "noticed");
            awaitText("/a", "noticed");
            Files.createDirectory(root.resolve("other"));
            write("other/c", "c");
            assertEquals("c", text(files, "/other/c"));
            assertEquals(2, files.watched(), "no more is asked for");
            time.addAndGet(INTERVAL.toNanos());
            write("sub/deep/b", "later");
            assertEquals("later", text(files, "/sub/deep/b"));
        }
    }

    /** In the end the cache has what is there, whatever has happened in between, and however fast. */
    @Test
    void aStormOfChanges() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<String> names = new ArrayList<>();
        for (String directory : List.of("", "x/", "y/", "x/z/", "y/z/")) {
            for (String name : List.of("f", "g")) {
                names.add(directory + name);
            }
        }
        AtomicBoolean over = new AtomicBoolean();
        FutureTask<Void> lookups = new FutureTask<>(() -> {
            Random order = new Random(seed);
            while (!over.get()) {
                lookUp(names.get(order.nextInt(names.size())));
            }
            return null;
        });
        new Thread(lookups, "lookups").start();
        for (int i = 0; i < 4000; i++) {
            try {
                change(random, names, "version " + i);
            } catch (IOException e) {
                // Not everything can be done at any time.
                assertFalse(e.getMessage().isEmpty());
            }
        }
        over.set(true);
        lookups.get();
        for (String name : names) {
            if (Files.isRegularFile(root.resolve(name))) {
                awaitText("/" + name, Files.readString(root.resolve(name)));
            } else {
                awaitAbsence("/" + name);
            }
        }
    }

    private void lookUp(String name) throws IOException {
        try {
            if (files.lookup("/" + name) instanceof FileEntry found) {
                found.release();
            }
        } catch (IOException e) {
            assertTrue(e.getMessage().contains("replaced faster"), e.getMessage());
        }
    }

    private void change(Random random, List<String> names, String text) throws IOException {
        Path one = root.resolve(names.get(random.nextInt(names.size())));
        Path other = root.resolve(names.get(random.nextInt(names.size())));
        switch (random.nextInt(6)) {
            case 0 -> Files.writeString(one, text);
            case 1 -> Files.move(one, other, StandardCopyOption.ATOMIC_MOVE);
            case 2 -> Files.deleteIfExists(one);
            case 3 -> Files.move(one.getParent(), other.getParent());
            case 4 -> Files.createDirectories(one.getParent());
            default -> {
                Files.deleteIfExists(one);
                Files.deleteIfExists(one.getParent());
            }
        }
    }
}
