package dev.sluice.samples.haboob;

import dev.sluice.samples.io.CountedMemory;
import dev.sluice.samples.web.protocol.Reply;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The pages in memory, the least recently used one first, and those being read. May be used by any thread; each method
 * holds the lock only while it looks something up or evicts pages.
 *
 * <p>Bounds: all pages together have no more than their memory, those that are being sent or read included. So slow
 * clients may occupy much of it, but it never grows; then further requests are refused.
 */
final class Pages {

    /** A larger share of the memory is for no single page. */
    private static final int LARGEST_SHARE = 4;

    private final PageMemory memory;
    private final int largest;
    private final LinkedHashMap<PageKey, Page> pages = new LinkedHashMap<>(16, 0.75f, true);
    /** The pages that one request reads for all requests that wait for them. */
    private final Map<PageKey, Reading> readings = new HashMap<>();
    /** Number of files replaced. */
    private long replacements;
    private long hits;
    private long misses;
    private long shared;
    private long evictions;

    /**
     * Creates an empty cache.
     *
     * @param blocks the number of blocks of memory, at least {@link #LARGEST_SHARE}
     */
    Pages(int blocks) {
        memory = new PageMemory(blocks);
        largest = blocks / LARGEST_SHARE;
    }

    /** {@return whether a content is small enough to be a page} */
    boolean fits(long octets) {
        return octets <= (long) largest * PageMemory.BLOCK;
    }

    /** {@return how long a page is, in bytes; -1 if it is not there} */
    synchronized long length(PageKey key) {
        Page page = pages.get(key);
        return page == null ? -1 : page.size();
    }

    /** {@return a page, of whose memory the caller becomes a user; null if it is not there} */
    synchronized Page find(PageKey key) {
        Page page = pages.get(key);
        if (page == null) {
            misses++;
            return null;
        }
        hits++;
        // The cache is a user.
        page.memory().retain();
        return page;
    }

    /**
     * {@return whether another request already reads the page, and its file has not been replaced since; then the
     * request waits for that one, otherwise it has to read, for itself alone if another one reads}
     */
    synchronized boolean join(PageRequest request) {
        request.setReplacements(replacements);
        Reading reading = readings.get(request.key());
        if (reading == null) {
            readings.put(request.key(), new Reading(request, new ArrayList<>()));
            return false;
        }
        if (reading.reader().replacements() != replacements) {
            request.setAlone();
            return false;
        }
        shared++;
        reading.waiters().add(request);
        return true;
    }

    /** Makes the request read for itself alone. */
    synchronized void readAlone(PageRequest request) {
        request.setReplacements(replacements);
        request.setAlone();
    }

    /**
     * Takes memory for a page. Evicts pages that are not being sent, the least recently used first.
     *
     * @param octets at least 1
     * @return memory of which the caller is the only user; null if too much is in use
     */
    CountedMemory take(long octets) {
        ByteBuffer[] blocks = takeBlocks(PageMemory.blocks(octets));
        return blocks == null ? null : new CountedMemory(blocks, this::release);
    }

    /**
     * Sends a reply from this memory, if it has octets that are only for itself.
     *
     * @return whether there was space for them, or there are none
     */
    boolean takeIn(Reply reply) {
        byte[] octets = reply.ownOctets();
        if (octets == null) {
            return true;
        }
        CountedMemory copy = take(octets.length);
        if (copy == null) {
            return false;
        }
        for (int i = 0; i < copy.count(); i++) {
            int start = i * PageMemory.BLOCK;
            copy.block(i).put(octets, start, Math.min(PageMemory.BLOCK, octets.length - start));
        }
        reply.moveTo(copy);
        return true;
    }

    private synchronized ByteBuffer[] takeBlocks(int count) {
        if (memory.available() < count) {
            evict(count);
        }
        return memory.available() < count ? null : memory.take(count);
    }

    private void evict(int count) {
        Iterator<Page> each = pages.values().iterator();
        while (memory.available() < count && each.hasNext()) {
            Page page = each.next();
            // Users are added only under the lock.
            if (page.memory().users() == 1) {
                each.remove();
                page.memory().release();
                evictions++;
            }
        }
    }

    private synchronized void release(ByteBuffer[] blocks) {
        memory.release(blocks);
    }

    /**
     * Keeps a page that has been read, unless a file has been replaced since the read began, since it may be this one.
     * The cache becomes a user of its memory, and so does each of those who wait.
     *
     * @param request that has read it
     * @param page    what it has read
     * @return those who have waited for it
     */
    synchronized List<PageRequest> add(PageRequest request, Page page) {
        List<PageRequest> waiters = end(request);
        waiters.forEach(waiter -> page.memory().retain());
        if (request.replacements() == replacements) {
            page.memory().retain();
            Page replaced = pages.put(page.key(), page);
            if (replaced != null) {
                replaced.memory().release();
            }
        }
        return waiters;
    }

    /** {@return those who have waited for a request that reads no more; none if it has read for itself alone} */
    synchronized List<PageRequest> end(PageRequest request) {
        Reading reading = readings.get(request.key());
        if (reading == null || reading.reader() != request) {
            return List.of();
        }
        readings.remove(request.key());
        return reading.waiters();
    }

    /** Forgets a page, if it is still the one that is kept. Those who send it go on. */
    synchronized void drop(Page page) {
        if (pages.remove(page.key(), page)) {
            page.memory().release();
        }
    }

    /**
     * Forgets all pages of the directory in which a file has been replaced: the file may be its index page, or another
     * one in a coding.
     *
     * @param path of the file; null for one that no file can have
     */
    synchronized void forget(String path) {
        replacements++;
        if (path == null) {
            return;
        }
        String directory = path.substring(0, path.lastIndexOf('/') + 1);
        pages.values().removeIf(page -> {
            boolean forgotten = page.key().path().startsWith(directory);
            if (forgotten) {
                page.memory().release();
            }
            return forgotten;
        });
    }

    /** {@return the number of hits, misses, misses among them that another one's read has served, evictions} */
    synchronized PageFigures figures() {
        long used = (long) (memory.maximum() - memory.available()) * PageMemory.BLOCK;
        return new PageFigures(pages.size(), used, (long) memory.maximum() * PageMemory.BLOCK, hits, misses, shared,
                evictions);
    }

    /** The request that reads a page, and those that wait for it. */
    private record Reading(PageRequest reader, List<PageRequest> waiters) {
    }
}
