package dev.sluice.ffm;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The addresses of the two buffers that a thread uses most, for the thread itself.
 *
 * <p>The API tells an address only through a {@code MemorySegment} made for the purpose. Mostly the compiler sees that
 * nobody keeps the segment and makes none, but in one process of four it does not, and each message then costs 120
 * bytes. Event loops use the same buffers over and over, so remembering two spares them this. What is remembered has to
 * be used a few times in close succession first: who takes another buffer for each message has nothing of a memory, and
 * keeps the compiler's chance.
 */
final class BufferAddresses {

    private static final int USES_TO_BE_REMEMBERED = 4;

    private static final ThreadLocal<BufferAddresses> CURRENT = ThreadLocal.withInitial(BufferAddresses::new);

    private final Entry first = new Entry();
    private final Entry second = new Entry();
    private boolean secondIsOlder = true;
    private ByteBuffer candidate;
    private ByteBuffer otherCandidate;
    private int uses;
    private int otherUses;

    /** A buffer, where its index 0 lies, and whether that is still so. */
    private static final class Entry {

        private ByteBuffer buffer;
        private MemorySegment.Scope scope;
        private long address;

        private long checkedAddress() {
            requireAlive(scope, buffer);
            return address;
        }
    }

    private BufferAddresses() {
    }

    static long of(ByteBuffer direct) {
        BufferAddresses known = CURRENT.get();
        if (known.first.buffer == direct) {
            return known.first.checkedAddress();
        }
        if (known.second.buffer == direct) {
            return known.second.checkedAddress();
        }
        return known.miss(direct);
    }

    private long miss(ByteBuffer direct) {
        if (isUsedOften(direct)) {
            return remember(secondIsOlder ? second : first, direct);
        }
        // The segment never leaves this method, so that the compiler may do without it.
        MemorySegment segment = MemorySegment.ofBuffer(direct);
        requireUsable(segment, direct);
        return segment.address() - direct.position();
    }

    private boolean isUsedOften(ByteBuffer direct) {
        if (direct == candidate) {
            return ++uses >= USES_TO_BE_REMEMBERED;
        }
        if (direct == otherCandidate) {
            return ++otherUses >= USES_TO_BE_REMEMBERED;
        }
        otherCandidate = candidate;
        otherUses = uses;
        candidate = direct;
        uses = 1;
        return false;
    }

    private long remember(Entry entry, ByteBuffer direct) {
        MemorySegment segment = MemorySegment.ofBuffer(direct);
        requireUsable(segment, direct);
        entry.buffer = direct;
        entry.scope = segment.scope();
        entry.address = segment.address() - direct.position();
        secondIsOlder = entry == first;
        return entry.address;
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
