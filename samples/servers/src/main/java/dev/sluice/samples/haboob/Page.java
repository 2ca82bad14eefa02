package dev.sluice.samples.haboob;

import dev.sluice.samples.io.CountedMemory;
import dev.sluice.samples.web.protocol.Reply;
import dev.sluice.samples.web.protocol.Representation;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A file in memory, with the contents of its head. The cache is one user of its memory, each send another. */
final class Page {

    /** Maximum time for which a page may be out of date, as for files that are kept open. */
    private static final long CHECK_INTERVAL = Duration.ofSeconds(1).toNanos();

    private final PageKey key;
    private final Representation what;
    private final CountedMemory memory;
    private final AtomicLong checked = new AtomicLong(System.nanoTime());

    Page(PageKey key, Representation what, CountedMemory memory) {
        this.key = key;
        this.what = what;
        this.memory = memory;
    }

    PageKey key() {
        return key;
    }

    long size() {
        return what.size();
    }

    CountedMemory memory() {
        return memory;
    }

    /** Sets the reply; takes over the caller's reference to the memory. */
    void answer(Reply reply) {
        reply.answer(what, memory);
    }

    boolean isOf(Representation current) {
        return what.isSameAs(current);
    }

    /** {@return whether the caller should compare it with the file} Other requests use it in the meantime. */
    boolean isDue() {
        long before = checked.get();
        long now = System.nanoTime();
        return now - before >= CHECK_INTERVAL && checked.compareAndSet(before, now);
    }
}
