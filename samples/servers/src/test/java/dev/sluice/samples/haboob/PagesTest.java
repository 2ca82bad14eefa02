package dev.sluice.samples.haboob;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.io.CountedMemory;
import dev.sluice.samples.web.files.CacheStrategy;
import dev.sluice.samples.web.files.CachedFileSystem;
import dev.sluice.samples.web.files.DocumentRoot;
import dev.sluice.samples.web.files.FileEntry;
import dev.sluice.samples.web.files.FileOptions;
import dev.sluice.samples.web.files.MediaTypes;
import dev.sluice.samples.web.protocol.Reply;
import dev.sluice.samples.web.protocol.Representation;
import dev.sluice.testing.Depth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page cache keeps, and what makes room. */
@Tag(Depth.IN_QUICK)
class PagesTest {

    private static final int BLOCKS = 8;
    private static final int TWO_BLOCKS = PageMemory.BLOCK + 1;

    @TempDir
    private Path root;

    private final Pages pages = new Pages(BLOCKS);
    private CachedFileSystem files;

    @BeforeEach
    void open() throws Exception {
        files = new CachedFileSystem(new DocumentRoot(root), new FileOptions(CacheStrategy.NONE, 1,
                Duration.ofSeconds(1), 0, List.of("index.html"), MediaTypes.BUILT_IN, List.of(), 0));
    }

    @AfterEach
    void close() {
        files.close();
    }

    private static PageRequest request(String path) {
        return new PageRequest(null, new PageKey(path, -1, null));
    }

    /** One that reads. */
    private PageRequest started(String path) {
        PageRequest request = request(path);
        assertFalse(pages.join(request));
        return request;
    }

    /** A page of two blocks, of whose memory the caller is a user. */
    private Page page(String path) throws Exception {
        Files.write(root.resolve(path.substring(1)), new byte[TWO_BLOCKS]);
        FileEntry entry = (FileEntry) files.lookup(path);
        entry.release();
        return new Page(new PageKey(path, -1, null), new Representation(entry, "text/plain", false, List.of()),
                pages.take(TWO_BLOCKS));
    }

    private void add(String path) throws Exception {
        Page page = page(path);
        assertEquals(List.of(), pages.add(started(path), page));
        page.memory().release();
    }

    @Test
    void theLeastRecentlyUsedIsEvicted() throws Exception {
        for (String path : new String[] {"/a", "/b", "/c", "/d"}) {
            add(path);
        }
        pages.find(new PageKey("/a", -1, null)).memory().release();
        add("/e");
        assertEquals(-1, pages.length(new PageKey("/b", -1, null)));
        assertEquals(TWO_BLOCKS, pages.length(new PageKey("/a", -1, null)));
        assertEquals(4, pages.figures().pages());
        assertEquals(1, pages.figures().evictions());
        assertEquals(BLOCKS * PageMemory.BLOCK, pages.figures().used());
    }

    @Test
    void whatIsBeingSentStays() throws Exception {
        add("/a");
        Page sent = pages.find(new PageKey("/a", -1, null));
        CountedMemory others = pages.take((BLOCKS - 2) * PageMemory.BLOCK);
        assertNull(pages.take(1));
        assertSame(sent, pages.find(new PageKey("/a", -1, null)));
        sent.memory().release();
        assertNull(pages.take(1));
        sent.memory().release();
        CountedMemory recycled = pages.take(TWO_BLOCKS);
        assertNotNull(recycled);
        assertEquals(0, pages.figures().pages());
        recycled.release();
        others.release();
        assertEquals(0, pages.figures().used());
    }

    @Test
    void whatIsDroppedWhileItIsSentComesBackAfterwards() throws Exception {
        add("/a");
        Page sent = pages.find(new PageKey("/a", -1, null));
        pages.drop(sent);
        assertNull(pages.find(new PageKey("/a", -1, null)));
        assertEquals(2 * PageMemory.BLOCK, pages.figures().used());
        sent.memory().release();
        assertEquals(0, pages.figures().used());
        // The one that took its place stays.
        add("/a");
        pages.drop(sent);
        assertEquals(TWO_BLOCKS, pages.length(new PageKey("/a", -1, null)));
    }

    @Test
    void manyWaitForOneRead() throws Exception {
        PageRequest first = request("/a");
        PageRequest second = request("/a");
        PageRequest third = request("/a");
        assertFalse(pages.join(first));
        assertTrue(pages.join(second));
        assertTrue(pages.join(third));
        assertFalse(pages.join(request("/b")));
        Page page = page("/a");
        assertEquals(List.of(second, third), pages.add(first, page));
        // The one who has read, the cache, and those who waited.
        assertEquals(4, page.memory().users());
        assertEquals(List.of(), pages.end(first));
        assertFalse(pages.join(request("/a")));
        assertEquals(2, pages.figures().shared());
    }

    @Test
    void whatIsMadeForAReplyAloneCounts() {
        Reply reply = new Reply();
        reply.answer("text/plain", new byte[TWO_BLOCKS]);
        assertTrue(pages.takeIn(reply));
        assertNull(reply.ownOctets());
        assertEquals(2 * PageMemory.BLOCK, pages.figures().used());
        reply.close();
        assertEquals(0, pages.figures().used());
        CountedMemory others = pages.take((BLOCKS - 1) * PageMemory.BLOCK);
        reply.answer("text/plain", new byte[TWO_BLOCKS]);
        assertFalse(pages.takeIn(reply));
        reply.answerAlike("text/plain", new byte[TWO_BLOCKS]);
        assertTrue(pages.takeIn(reply));
        others.release();
        assertEquals(0, pages.figures().used());
    }

    @Test
    void aPageIsAQuarterAtMost() {
        assertTrue(pages.fits(BLOCKS / 4 * PageMemory.BLOCK));
        assertFalse(pages.fits(BLOCKS / 4 * PageMemory.BLOCK + 1));
    }

    @Test
    void aReplacedFileIsForgottenUnderEachOfItsNames() throws Exception {
        Files.createDirectories(root.resolve("d"));
        Files.createDirectories(root.resolve("other"));
        for (String path : new String[] {"/d/index.html", "/d/x.html", "/other/x.html"}) {
            add(path);
        }
        pages.forget("/d/x.html.gz");
        assertEquals(-1, pages.length(new PageKey("/d/x.html", -1, null)));
        assertEquals(-1, pages.length(new PageKey("/d/index.html", -1, null)));
        assertEquals(TWO_BLOCKS, pages.length(new PageKey("/other/x.html", -1, null)));
        pages.forget(null);
    }

    @Test
    void whatHasBeenReadWhileItsFileWasReplacedIsForThoseAloneWhoHaveWaited() throws Exception {
        PageKey key = new PageKey("/a", -1, null);
        PageRequest reader = started("/a");
        PageRequest waiter = request("/a");
        assertTrue(pages.join(waiter));
        pages.forget("/a");
        // A later request reads by itself. Its page is cached, and the earlier requests are still answered.
        PageRequest later = started("/a");
        assertTrue(later.isAlone());
        Page current = page("/a");
        assertEquals(List.of(), pages.add(later, current));
        assertEquals(TWO_BLOCKS, pages.length(key));
        Page old = page("/a");
        assertEquals(List.of(waiter), pages.add(reader, old));
        assertSame(current, pages.find(key));
        // The reader, and the one who has waited.
        assertEquals(2, old.memory().users());
        assertFalse(started("/a").isAlone());
    }
}
