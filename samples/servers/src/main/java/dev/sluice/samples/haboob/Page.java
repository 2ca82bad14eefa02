package dev.sluice.samples.haboob;

import dev.sluice.samples.io.CountedMemory;
import dev.sluice.samples.web.protocol.Reply;
import dev.sluice.samples.web.protocol.Representation;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A file in memory, with what its head has to say. The cache is one user of its memory, each send another. */
final class Page {

    /** A version may be out of date for so long, as with files that are kept open. */
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

    /** Makes a reply of it, which takes over a reference to the memory that the caller has. */
    void answer(Reply reply) {
        reply.answer(what, memory);
    }

    boolean isOf(Representation current) {
        return what.isSameAs(current);
    }

    /** {@return whether the caller should compare it with the file} The others go on with it in the meantime. */
    boolean isDue() {
        long before = checked.get();
        long now = System.nanoTime();
        return now - before >= CHECK_INTERVAL && checked.compareAndSet(before, now);
    }
}
