package dev.sluice.ffm;

import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;

/**
 * The addresses of the two buffers that a thread uses most. Used only by that thread.
 *
 * <p>The API gives an address only through a {@code MemorySegment} made for the purpose. Usually the compiler sees that
 * the segment does not escape and eliminates it, but in one process out of four it does not, and each message then
 * costs 120 bytes. Event loops use the same buffers over and over, so remembering two of them avoids this. A buffer is
 * remembered only after it has been used a few times in close succession: a program that uses a different buffer for
 * each message would gain nothing, and is better left to the compiler.
 *
 * <p>Threads outlive what they work on, so nothing here keeps a buffer from being collected.
 */
final class BufferAddresses {

    private static final int USES_TO_BE_REMEMBERED = 4;

    private static final ThreadLocal<BufferAddresses> CURRENT = ThreadLocal.withInitial(BufferAddresses::new);

    private final Entry first = new Entry();
    private final Entry second = new Entry();
    private boolean secondIsOlder = true;
    // Identified by their addresses; a slice may share its buffer's address, which at worst makes it remembered sooner.
    private long candidate;
    private long otherCandidate;
    private int uses;
    private int otherUses;

    /** A buffer, the address of its index 0, and whether that is still valid. */
    private static final class Entry {

        private WeakReference<ByteBuffer> buffer = new WeakReference<>(null);
        private WeakReference<MemorySegment.Scope> scope = new WeakReference<>(null);
        private long address;

        private long checkedAddress(ByteBuffer direct) {
            // The scope of an arena is reachable as long as the arena's buffers are. Any other scope may have been
            // collected, but never ends.
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
        // The segment never leaves this method, so that the compiler can eliminate it.
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
