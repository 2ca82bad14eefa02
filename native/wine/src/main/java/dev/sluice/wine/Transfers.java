package dev.sluice.wine;

import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Overlapped;
import dev.sluice.calls.layout.OverlappedEntry;
import dev.sluice.calls.layout.Win32Constants;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntToLongFunction;
import java.util.function.ToIntFunction;

/** The calls that transfer bytes, from their start to the answer that ends them. */
final class Transfers {

    private final SharedHeap heap;
    private final ForeignBuffers foreign;
    // By the address of the OVERLAPPED, which identifies a call in progress.
    private final Map<Long, Transfer> pending = new ConcurrentHashMap<>();

    Transfers(SharedHeap heap, ForeignBuffers foreign) {
        this.heap = heap;
        this.foreign = foreign;
    }

    /**
     * Makes a call whose result is the number of bytes transferred.
     *
     * @param function  what is called
     * @param direction of the bytes
     * @param call      makes the call, after adding its memory to the transfer
     * @return the call's result
     */
    int make(HostFunction function, Transfer.Direction direction, ToIntFunction<Transfer> call) {
        return make(new Transfer(heap, foreign, function, direction), 0, call, result -> result);
    }

    /**
     * Makes a call that reports the number of bytes transferred elsewhere.
     *
     * @param function    what is called
     * @param direction   of the bytes
     * @param transferred where the call writes their number, or 0
     * @param overlapped  identifies the call if it goes on in the background, or 0
     * @param call        makes the call, after adding its memory to the transfer
     * @return the call's result
     */
    int make(HostFunction function, Transfer.Direction direction, long transferred, long overlapped,
             ToIntFunction<Transfer> call) {
        function.seen("transferred", transferred, Integer.BYTES);
        function.seen("overlapped", overlapped, Overlapped.SIZE);
        return make(new Transfer(heap, foreign, function, direction), overlapped, call,
                success -> overlapped == 0 ? word(transferred)
                        : Overlapped.transferred(heap.bytes(), SharedRegion.index(overlapped)));
    }

    private int make(Transfer transfer, long overlapped, ToIntFunction<Transfer> call, IntToLongFunction transferred) {
        if (overlapped != 0) {
            // Done before the call, since another thread may get its packet first.
            Transfer forgotten = pending.put(overlapped, transfer);
            if (forgotten != null) {
                forgotten.end(0);
            }
        }
        int result = -WindowsError.ERROR_INVALID_PARAMETER;
        try {
            result = call.applyAsInt(transfer);
            return result;
        } finally {
            boolean goesOn = overlapped != 0 && result == -WindowsError.ERROR_IO_PENDING;
            if (!goesOn && (overlapped == 0 || pending.remove(overlapped, transfer))) {
                transfer.end(result >= 0 ? transferred.applyAsLong(result) : received(result));
            }
        }
    }

    // What fits has arrived, although the rest of the datagram is lost.
    private static long received(int failure) {
        return failure == -WindowsError.WSAEMSGSIZE ? Long.MAX_VALUE : 0;
    }

    /**
     * Ends the calls that have completed.
     *
     * @param entries an array of {@code OVERLAPPED_ENTRY}
     * @param removed the address of its length
     */
    void completed(long entries, long removed) {
        ByteBuffer bytes = heap.bytes();
        for (int i = 0; i < word(removed); i++) {
            int at = SharedRegion.index(entries) + i * OverlappedEntry.SIZE;
            end(bytes.getLong(at + OverlappedEntry.OVERLAPPED),
                    Integer.toUnsignedLong(bytes.getInt(at + OverlappedEntry.NUMBER_OF_BYTES_TRANSFERRED)));
        }
    }

    /** Ends the call whose result was asked for, if it has completed. */
    void answered(long overlapped) {
        int at = SharedRegion.index(overlapped);
        if (Overlapped.status(heap.bytes(), at) != Win32Constants.STATUS_PENDING) {
            end(overlapped, Overlapped.transferred(heap.bytes(), at));
        }
    }

    private void end(long overlapped, long transferred) {
        Transfer transfer = pending.remove(overlapped);
        if (transfer != null) {
            transfer.end(transferred);
        }
    }

    private long word(long address) {
        return Integer.toUnsignedLong(heap.bytes().getInt(SharedRegion.index(address)));
    }
}
