package dev.sluice.ffm;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;

/** A direct buffer whose address is requested repeatedly. */
final class KnownBuffer extends WeakReference<ByteBuffer> {

    /**
     * The value of an address that has to be determined for each call, because the memory may be freed, or be confined
     * to a thread.
     */
    static final long UNSETTLED = -1;

    /** The address of index 0, or {@link #UNSETTLED}. */
    final long address;

    KnownBuffer(ByteBuffer buffer, long address) {
        super(buffer);
        this.address = address;
    }
}
