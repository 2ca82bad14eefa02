package dev.sluice.samples.web.files;

import static dev.sluice.samples.web.files.Scenery.entry;
import static dev.sluice.samples.web.files.Scenery.isOpen;
import static dev.sluice.samples.web.files.Scenery.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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
        FileOptions options = new FileOptions(strategy, capacity, INTERVAL, 1 << 20,
                List.of("first.html", "index.html"), MediaTypes.BUILT_IN, List.of("/sub/", "/b", "/a"), 1000);
        return new CachedFileSystem(new DocumentRoot(root), options, time::incrementAndGet);
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
    void theLeastRecentlyUsedIsEvicted() throws IOException {
        try (CachedFileSystem files = cache(CacheStrategy.LRU, 3)) {
            List<FileEntry> entries = new ArrayList<>(entries(files, "abc"));
            use(files, "cccba");
            entries.addAll(entries(files, "d"));
            assertEquals("abd", kept(files, entries, "abcd"));
        }
    }

    @Test
    void theLeastFrequentlyUsedIsEvicted() throws IOException {
        try (CachedFileSystem files = cache(CacheStrategy.LFU, 3)) {
            List<FileEntry> entries = new ArrayList<>(entries(files, "abc"));
            use(files, "aaccbbac");
            entries.addAll(entries(files, "d"));
            assertEquals("acd", kept(files, entries, "abcd"));
        }
    }

    @Test
    void keepsMoreOrFewer() throws IOException {
        try (CachedFileSystem files = cache(CacheStrategy.LRU, 2)) {
            use(files, "ab");
            files.resize(4);
            List<FileEntry> entries = entries(files, "abcd");
            assertEquals("abcd", kept(files, entries, "abcd"));
            assertEquals(4, files.statistics().capacity());
            use(files, "ba");
            FileEntry sending = entry(files, "/c");
            use(files, "b");
            files.resize(1);
            assertEquals(3, files.statistics().evictions());
            assertEquals("c", text(sending), "it is in use");
            sending.release();
            assertEquals("b", kept(files, entries, "abcd"));
            use(files, "a");
            assertEquals(1, files.size());
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
        CachedFileSystem files = new CachedFileSystem(new DocumentRoot(root),
                FileOptions.of(strategy, 2, Duration.ofNanos(50_000)));
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

    /** Not even if it was opened before and is about to be cached; no watch reports it, and no check comes in time. */
    @Test
    void forgottenEntriesAreNeverReturned() throws Exception {
        Files.writeString(root.resolve("index.html"), "0");
        AtomicInteger replaced = new AtomicInteger();
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try (CachedFileSystem files = new CachedFileSystem(new DocumentRoot(root),
                FileOptions.of(CacheStrategy.LRU, 10, Duration.ofDays(1)))) {
            List<Future<?>> readers = new ArrayList<>();
            for (String path : List.of("/index.html", "/", "/")) {
                readers.add(threads.submit(() -> {
                    while (!done.get()) {
                        int minimum = replaced.get();
                        int got = Integer.parseInt(text(files, path));
                        assertTrue(got >= minimum, got + " after " + minimum);
                    }
                    return null;
                }));
            }
            for (int version = 1; version <= 3_000; version++) {
                Path fresh = Files.writeString(root.resolve("fresh"), String.valueOf(version));
                Files.move(fresh, root.resolve("index.html"), StandardCopyOption.ATOMIC_MOVE);
                files.forget("/index.html");
                replaced.set(version);
            }
            done.set(true);
            for (Future<?> each : readers) {
                each.get();
            }
        } finally {
            done.set(true);
            threads.shutdown();
            assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void whatIsHintedAtStays() throws IOException {
        Files.createDirectory(root.resolve("sub"));
        Files.writeString(root.resolve("sub/x"), "x");
        try (CachedFileSystem files = cache(CacheStrategy.HINTED, 3)) {
            List<FileEntry> entries = new ArrayList<>(entries(files, "cdba"));
            assertEquals("dba", kept(files, entries, "cdba"), "of those without a hint, the one used last");
            FileEntry best = entry(files, "/sub/x");
            best.release();
            entries.add(best);
            assertEquals("bax", kept(files, entries, "cdbax"));
            entries.addAll(entries(files, "c"));
            assertEquals("bax", kept(files, entries, "cdbaxc"), "no space for a file without a hint");
            assertEquals(1, files.statistics().refusals());
            assertEquals(2, files.statistics().evictions());
        }
    }

    @Test
    void whatIsNearTheRootStays() throws IOException {
        Files.createDirectories(root.resolve("sub/deep"));
        for (String name : List.of("sub/e", "sub/index.html", "sub/deep/f")) {
            Files.writeString(root.resolve(name), name);
        }
        try (CachedFileSystem files = cache(CacheStrategy.STRUCTURED, 3)) {
            List<FileEntry> entries = new ArrayList<>();
            for (String path : List.of("/sub/deep/f", "/sub/e", "/sub/", "/a", "/b")) {
                FileEntry entry = entry(files, path);
                entry.release();
                entries.add(entry);
            }
            assertEquals("iab", kept(files, entries, "feiab"), "the index page before the other one");
            use(files, "bad");
            assertFalse(isOpen(entries.get(2)), "deeper than all others");
            assertTrue(isOpen(entries.get(3)) && isOpen(entries.get(4)) && files.size() == 3);
        }
    }

    @Test
    void countsHitsMissesAndEvictions() throws IOException {
        try (CachedFileSystem files = cache(CacheStrategy.LRU, 2)) {
            use(files, "aab");
            files.lookup("/none");
            use(files, "c");
            Files.writeString(root.resolve("c"), "cc");
            time.addAndGet(INTERVAL.toNanos());
            assertEquals("cc", text(files, "/c"));
            CacheStatistics seen = files.statistics();
            assertEquals(new CacheStatistics(CacheStrategy.LRU, 2, 2, 1, 5, 1, 1, 0, 0, 0, 1000), seen);
            assertEquals(166, seen.hitRate());
        }
    }

    @Test
    void mapsNoMoreThanItMay() throws IOException {
        Files.writeString(root.resolve("large"), "0".repeat(700));
        Files.writeString(root.resolve("other"), "1".repeat(700));
        try (CachedFileSystem files = cache(CacheStrategy.LRU, 2)) {
            FileEntry large = entry(files, "/large");
            FileEntry other = entry(files, "/other");
            assertNotNull(large.mapping());
            assertEquals(700, files.statistics().mapped());
            assertNull(other.mapping());
            assertNotNull(large.mapping(), "once");
            assertEquals(700, files.statistics().mapped());
            large.release();
            use(files, "ab");
            assertEquals(0, files.statistics().mapped(), "given back with the last user");
            assertNotNull(other.mapping());
            other.release();
        }
    }

    @Test
    void compressesAVersionOnce() throws IOException {
        Path file = Files.writeString(root.resolve("page.txt"), "0123456789".repeat(1000));
        FileEntry old;
        try (CachedFileSystem files = cache(CacheStrategy.LRU, 3)) {
            FileEntry plain = entry(files, "/page.txt");
            assertNull(files.coded(plain, ContentCoding.BR));
            old = files.coded(plain, ContentCoding.GZIP);
            assertSame(old, files.coded(plain, ContentCoding.GZIP));
            assertTrue(old.stamp().size() < 1000, old::toString);
            assertEquals(plain.type(), old.type());
            old.release();
            Files.writeString(file, "9876543210".repeat(1000));
            time.addAndGet(INTERVAL.toNanos());
            FileEntry next = entry(files, "/page.txt");
            assertNotSame(plain, next);
            plain.release();
            assertTrue(isOpen(old), "still in use");
            old.release();
            assertFalse(isOpen(old));
            FileEntry coded = files.coded(next, ContentCoding.GZIP);
            assertNotEquals(old.tag(), coded.tag());
            coded.release();
            next.release();
            assertTrue(isOpen(coded), "kept as long as the plain file");
            old = coded;
        }
        assertFalse(isOpen(old));
    }

    @Test
    void compressesNothingThatIsNotWorthIt() throws IOException {
        Files.writeString(root.resolve("large.txt"), "0".repeat((1 << 20) + 1));
        Files.writeString(root.resolve("small.txt"), "0".repeat(100));
        byte[] random = new byte[5000];
        new Random(1).nextBytes(random);
        Files.write(root.resolve("random.txt"), random);
        try (CachedFileSystem files = cache(CacheStrategy.LRU, 3);
                CachedFileSystem none = cache(CacheStrategy.NONE, 3)) {
            for (String path : List.of("/large.txt", "/small.txt", "/random.txt")) {
                FileEntry plain = entry(files, path);
                assertNull(files.coded(plain, ContentCoding.GZIP), path);
                plain.release();
            }
            Files.writeString(root.resolve("large.txt"), "0".repeat(1 << 20));
            FileEntry plain = entry(none, "/large.txt");
            assertNull(none.coded(plain, ContentCoding.GZIP), "again for each request");
            plain.release();
            try (CachedFileSystem full = cache(CacheStrategy.STRUCTURED, 1)) {
                Files.createDirectories(root.resolve("deep"));
                Files.writeString(root.resolve("deep/page.txt"), "0".repeat(10_000));
                entry(full, "/small.txt").release();
                FileEntry refused = entry(full, "/deep/page.txt");
                assertNull(full.coded(refused, ContentCoding.GZIP), "not kept, either");
                refused.release();
            }
        }
    }

    @Test
    void takesTheCodedFileBesideUnlessItIsOlder() throws IOException {
        Path file = Files.writeString(root.resolve("page.txt"), "0123456789".repeat(1000));
        Files.writeString(root.resolve("page.txt.gz"), "coded");
        Files.createDirectory(root.resolve("page.txt.br"));
        try (CachedFileSystem files = cache(CacheStrategy.LRU, 3)) {
            FileEntry plain = entry(files, "/page.txt");
            FileEntry coded = files.coded(plain, ContentCoding.GZIP);
            assertEquals("coded", text(coded));
            coded.release();
            assertNull(files.coded(plain, ContentCoding.BR));
            Files.delete(root.resolve("page.txt.br"));
            Files.writeString(root.resolve("page.txt.br"), "better");
            assertNull(files.coded(plain, ContentCoding.BR), "looked for a moment ago");
            time.addAndGet(INTERVAL.toNanos());
            coded = files.coded(plain, ContentCoding.BR);
            assertEquals("better", text(coded));
            coded.release();
            plain.release();
            Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(60)));
            time.addAndGet(INTERVAL.toNanos());
            plain = entry(files, "/page.txt");
            assertNull(files.coded(plain, ContentCoding.BR));
            coded = files.coded(plain, ContentCoding.GZIP);
            assertTrue(coded.tag().endsWith("-gzip\""), "made of the newer one");
            coded.release();
            plain.release();
        }
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
                CachedFileSystem files = new CachedFileSystem(new DocumentRoot(site.directory()),
                        FileOptions.of(CacheStrategy.LRU, 9, Duration.ofSeconds(1)))) {
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
