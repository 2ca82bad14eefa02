package dev.sluice.ffm;

import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;

/**
 * The addresses of the two buffers that a thread uses most, for the thread itself.
 *
 * <p>The API tells an address only through a {@code MemorySegment} made for the purpose. Mostly the compiler sees that
 * nobody keeps the segment and makes none, but in one process of four it does not, and each message then costs 120
 * bytes. Event loops use the same buffers over and over, so remembering two spares them this. What is remembered has to
 * be used a few times in close succession first: who takes another buffer for each message has nothing of a memory, and
 * keeps the compiler's chance.
 *
 * <p>Threads live longer than what they work on: nothing here keeps a buffer from being collected.
 */
final class BufferAddresses {

    private static final int USES_TO_BE_REMEMBERED = 4;

    private static final ThreadLocal<BufferAddresses> CURRENT = ThreadLocal.withInitial(BufferAddresses::new);

    private final Entry first = new Entry();
    private final Entry second = new Entry();
    private boolean secondIsOlder = true;
    // By their addresses; that a slice may share one with the whole makes it remembered sooner, and nothing worse.
    private long candidate;
    private long otherCandidate;
    private int uses;
    private int otherUses;

    /** A buffer, where its index 0 lies, and whether that is still so. */
    private static final class Entry {

        private WeakReference<ByteBuffer> buffer = new WeakReference<>(null);
        private WeakReference<MemorySegment.Scope> scope = new WeakReference<>(null);
        private long address;

        private long checkedAddress(ByteBuffer direct) {
            // The scope of an arena lives as long as the arena's buffers. Any other may be gone: it never ends.
            MemorySegment.Scope known = scope.get();
            if (known != null) {
                requireAlive(known, direct);
            }
            return address;
        }
    }

    private BufferAddresses() {
    }

    static long of(ByteBuffer direct) {
        BufferAddresses known = CURRENT.get();
        if (known.first.buffer.refersTo(direct)) {
            return known.first.checkedAddress(direct);
        }
        if (known.second.buffer.refersTo(direct)) {
            return known.second.checkedAddress(direct);
        }
        return known.miss(direct);
    }

    private long miss(ByteBuffer direct) {
        // The segment never leaves this method, so that the compiler may do without it.
        MemorySegment segment = MemorySegment.ofBuffer(direct);
        requireUsable(segment, direct);
        long address = segment.address() - direct.position();
        if (isUsedOften(address)) {
            remember(secondIsOlder ? second : first, direct, address);
        }
        return address;
    }

    private boolean isUsedOften(long address) {
        if (address == candidate) {
            return ++uses >= USES_TO_BE_REMEMBERED;
        }
        if (address == otherCandidate) {
            return ++otherUses >= USES_TO_BE_REMEMBERED;
        }
        otherCandidate = candidate;
        otherUses = uses;
        candidate = address;
        uses = 1;
        return false;
    }

    private void remember(Entry entry, ByteBuffer direct, long address) {
        entry.buffer = new WeakReference<>(direct);
        entry.scope = new WeakReference<>(MemorySegment.ofBuffer(direct).scope());
        entry.address = address;
        secondIsOlder = entry == first;
    }

    private static void requireUsable(MemorySegment segment, ByteBuffer direct) {
        requireAlive(segment.scope(), direct);
        if (!segment.isAccessibleBy(Thread.currentThread())) {
            throw new IllegalStateException("the buffer is confined to another thread's arena: " + direct);
        }
    }

    private static void requireAlive(MemorySegment.Scope scope, ByteBuffer direct) {
        if (!scope.isAlive()) {
            throw new IllegalStateException("the buffer's memory has been freed: " + direct);
        }
    }
}
