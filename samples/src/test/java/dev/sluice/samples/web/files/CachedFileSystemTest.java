package dev.sluice.samples.web.files;

import static dev.sluice.samples.web.files.Scenery.entry;
import static dev.sluice.samples.web.files.Scenery.isOpen;
import static dev.sluice.samples.web.files.Scenery.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CachedFileSystemTest {

    private static final Duration INTERVAL = Duration.ofNanos(1000);

    @TempDir
    Path root;

    private final AtomicLong time = new AtomicLong();

    @BeforeEach
    void layOut() throws IOException {
        for (String name : List.of("a", "b", "c", "d")) {
            Files.writeString(root.resolve(name), name);
        }
    }

    /** Its clock goes on by one with every lookup. */
    private CachedFileSystem cache(CacheStrategy strategy, int capacity) throws IOException {
        return new CachedFileSystem(new DocumentRoot(root), strategy, capacity, INTERVAL, time::incrementAndGet);
    }

    private static void use(CachedFileSystem files, String names) throws IOException {
        for (char name : names.toCharArray()) {
            assertEquals(String.valueOf(name), text(files, "/" + name));
        }
    }

    private static String kept(CachedFileSystem files, List<FileEntry> before, String names) {
        StringBuilder kept = new StringBuilder();
        for (int i = 0; i < names.length(); i++) {
            if (isOpen(before.get(i))) {
                kept.append(names.charAt(i));
            }
        }
        assertEquals(kept.length(), files.size());
        return kept.toString();
    }

    private static List<FileEntry> entries(CachedFileSystem files, String names) throws IOException {
        List<FileEntry> entries = new ArrayList<>();
        for (char name : names.toCharArray()) {
            FileEntry entry = entry(files, "/" + name);
            entry.release();
            entries.add(entry);
        }
        return entries;
    }

    @Test
    void theLeastRecentlyUsedMakesRoom() throws IOException {
        try (CachedFileSystem files = cache(CacheStrategy.LRU, 3)) {
            List<FileEntry> entries = new ArrayList<>(entries(files, "abc"));
            use(files, "cccba");
            entries.addAll(entries(files, "d"));
            assertEquals("abd", kept(files, entries, "abcd"));
        }
    }

    @Test
    void theLeastFrequentlyUsedMakesRoom() throws IOException {
        try (CachedFileSystem files = cache(CacheStrategy.LFU, 3)) {
            List<FileEntry> entries = new ArrayList<>(entries(files, "abc"));
            use(files, "aaccbbac");
            entries.addAll(entries(files, "d"));
            assertEquals("acd", kept(files, entries, "abcd"));
        }
    }

    @Test
    void popularityFades() throws IOException {
        try (CachedFileSystem files = cache(CacheStrategy.LFU, 2)) {
            FileEntry popular = entries(files, "a").get(0);
            use(files, "a".repeat(100));
            for (int i = 0; i < 20; i++) {
                use(files, "bbbcccddd");
            }
            assertFalse(isOpen(popular));
        }
    }

    @Test
    void withoutAStrategyNothingIsKept() throws IOException {
        try (CachedFileSystem files = cache(CacheStrategy.NONE, 3)) {
            FileEntry one = entry(files, "/a");
            FileEntry other = entry(files, "/a");
            assertNotSame(one, other);
            assertEquals(0, files.size());
            one.release();
            assertFalse(isOpen(one));
            assertEquals("a", text(other));
            other.release();
        }
    }

    @Test
    void aTransferOutlivesEvictionAndTheCache() throws IOException {
        CachedFileSystem files = cache(CacheStrategy.LRU, 1);
        FileEntry sending = entry(files, "/a");
        use(files, "bcd");
        assertEquals("a", text(sending));
        sending.release();
        assertFalse(isOpen(sending));
        FileEntry last = entry(files, "/b");
        files.close();
        assertEquals("b", text(last));
        last.release();
        assertFalse(isOpen(last));
        assertFalse(last.retain());
        assertThrows(IllegalStateException.class, last::release);
        use(files, "a");
        assertEquals(0, files.size());
    }

    @ParameterizedTest
    @EnumSource(CacheStrategy.class)
    void aChangeIsAnotherVersion(CacheStrategy strategy) throws IOException {
        Path a = root.resolve("a");
        Instant modified = Files.getLastModifiedTime(a).toInstant();
        try (CachedFileSystem files = cache(strategy, 3)) {
            FileEntry old = entry(files, "/a");

            Files.writeString(a, "longer");
            Files.setLastModifiedTime(a, FileTime.from(modified));
            old = changed(files, old, "longer");

            Files.writeString(a, "LONGER");
            Files.setLastModifiedTime(a, FileTime.from(modified.plusNanos(1000)));
            old = changed(files, old, "LONGER");

            Path other = Files.writeString(root.resolve("other"), "Longer");
            Files.setLastModifiedTime(other, FileTime.from(modified.plusNanos(1000)));
            Files.move(other, a, StandardCopyOption.ATOMIC_MOVE);
            old = changed(files, old, "Longer");
            old.release();
        }
    }

    private FileEntry changed(CachedFileSystem files, FileEntry old, String content) throws IOException {
        time.addAndGet(INTERVAL.toNanos());
        FileEntry current = entry(files, "/a");
        assertNotSame(old, current);
        assertNotEquals(old.tag(), current.tag());
        assertEquals(content, text(current));
        assertTrue(isOpen(old));
        old.release();
        assertFalse(isOpen(old));
        return current;
    }

    @Test
    void anEntryIsCheckedOnceInAnInterval() throws IOException {
        try (CachedFileSystem files = cache(CacheStrategy.LRU, 3)) {
            FileEntry first = entries(files, "a").get(0);
            Files.delete(root.resolve("a"));
            use(files, "a");
            time.addAndGet(INTERVAL.toNanos());
            assertSame(NoFile.ABSENT, files.lookup("/a"));
            assertFalse(isOpen(first));

            FileEntry second = entries(files, "b").get(0);
            time.addAndGet(INTERVAL.toNanos());
            assertSame(second, entries(files, "b").get(0));
            assertSame(second, entries(files, "b").get(0));
        }
    }

    @Test
    void aFileThatBecameALinkToTheOutsideIsGone() throws IOException {
        Path outside = Files.createTempFile("outside", ".txt");
        try (CachedFileSystem files = cache(CacheStrategy.LRU, 3)) {
            use(files, "a");
            Files.delete(root.resolve("a"));
            Files.createSymbolicLink(root.resolve("a"), outside);
            time.addAndGet(INTERVAL.toNanos());
            assertSame(NoFile.ABSENT, files.lookup("/a"));
        } finally {
            Files.delete(outside);
        }
    }

    @Test
    void theMappingIsSharedAndGoesWithTheEntry() throws IOException {
        Files.createFile(root.resolve("empty"));
        try (CachedFileSystem files = cache(CacheStrategy.LRU, 3)) {
            FileEntry entry = entry(files, "/a");
            assertEquals('a', entry.mapping().buffer().get(0));
            assertSame(entry.mapping(), entry.mapping());
            entry.release();
            FileEntry empty = entry(files, "/empty");
            assertNull(empty.mapping());
            empty.release();
            FileEntry cut = entry(files, "/b");
            Files.writeString(root.resolve("b"), "");
            assertThrows(IOException.class, cut::mapping);
            cut.release();
        }
    }

    @ParameterizedTest
    @EnumSource(CacheStrategy.class)
    void manyThreadsWhileFilesChange(CacheStrategy strategy) throws Exception {
        List<FileEntry> seen = Collections.synchronizedList(new ArrayList<>());
        ExecutorService threads = Executors.newFixedThreadPool(4);
        CachedFileSystem files = new CachedFileSystem(new DocumentRoot(root), strategy, 2, Duration.ofNanos(50_000));
        try {
            List<Future<?>> work = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Random random = new Random(i);
                work.add(threads.submit(() -> {
                    for (int round = 0; round < 2_000; round++) {
                        String name = String.valueOf((char) ('a' + random.nextInt(4)));
                        FileEntry entry = entry(files, "/" + name);
                        assertEquals(name.repeat((int) entry.stamp().size()), text(entry));
                        seen.add(entry);
                        entry.release();
                    }
                    return null;
                }));
            }
            work.add(threads.submit(() -> {
                for (int round = 1; round < 300; round++) {
                    String name = String.valueOf((char) ('a' + round % 4));
                    Path fresh = Files.writeString(root.resolve("fresh"), name.repeat(1 + round % 7));
                    Files.move(fresh, root.resolve(name), StandardCopyOption.ATOMIC_MOVE);
                }
                return null;
            }));
            for (Future<?> each : work) {
                each.get();
            }
            assertTrue(files.size() <= 2, files.size() + " kept");
        } finally {
            threads.shutdownNow();
            assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
            files.close();
        }
        assertEquals(0, seen.stream().filter(Scenery::isOpen).count(), "left open");
        assertEquals(List.of(), openBelow(root));
    }

    private static List<String> openBelow(Path directory) throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        if (!Files.isDirectory(descriptors)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(descriptors)) {
            return all.map(each -> {
                try {
                    return Files.readSymbolicLink(each).toString();
                } catch (IOException e) {
                    // Closed since it was listed.
                    return "";
                }
            }).filter(target -> target.startsWith(directory.toString())).toList();
        }
    }

    @Test
    void theBundledSiteIsCompleteAndGoesAway() throws IOException {
        Path directory;
        try (BundledSite site = new BundledSite();
                CachedFileSystem files = new CachedFileSystem(new DocumentRoot(site.directory()), CacheStrategy.LRU, 9,
                        Duration.ofSeconds(1))) {
            directory = site.directory();
            for (String page : List.of("/", "/patterns.html")) {
                var links = Pattern.compile("(?:href|src)=\"([^\"]+)\"").matcher(text(files, page));
                while (links.find()) {
                    String target = links.group(1).equals("./") ? "/" : "/" + links.group(1);
                    assertEquals(!target.equals("/nowhere"), files.lookup(target) instanceof FileEntry, target);
                }
            }
            assertTrue(text(files, "/sample.txt").startsWith("A file to ask parts of.\n"));
        }
        assertFalse(Files.exists(directory));
    }
}
