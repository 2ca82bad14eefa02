package dev.sluice.demultiplexer.select;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.WinsockFdSet;
import dev.sluice.calls.layout.WinsockTimeval;
import dev.sluice.demultiplexer.handleset.ArrayDemultiplexer;
import dev.sluice.demultiplexer.handleset.SocketsOnly;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.handle.Handle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The handle set of Winsock's {@code select}: three arrays of sockets, which are written for each call, because the
 * call removes the sockets that are not ready. They grow with the set.
 *
 * <p>A failed connection attempt is reported only in the third set, as urgent data is. So each socket that may be
 * connecting is in that set, and a socket that is reported there is checked for a peer.
 */
public final class WinsockSelectDemultiplexer extends ArrayDemultiplexer {

    private static final int FIRST_CAPACITY = 64;
    private static final int TIMEOUT = 0;
    private static final int LENGTH = TIMEOUT + WinsockTimeval.SIZE;
    private static final int ADDRESS = LENGTH + Long.BYTES;
    private static final int SETS = ADDRESS + SockaddrStorage.SIZE;

    private final Windows windows = Bindings.current().windows();
    private final Memory memory = Bindings.current().memory();
    private final SocketTable places;
    private final long wakeUpSocket = wakeUpDescriptor();
    private MemoryBlock block;
    /** The previous block, until it has been freed; otherwise null. */
    private @Nullable MemoryBlock outgrown;
    private ByteBuffer structures;
    private int read;
    private int write;
    private int exception;
    /** The events that the last call has found, by place. */
    private int[] found;
    /** Whether the socket at a place is known to have a peer, so that no connection attempt can fail any more. */
    private boolean[] connected;
    private boolean wokenUp;

    /** Opens a demultiplexer with an empty set. */
    public WinsockSelectDemultiplexer() throws IOException {
        super(SelectDemultiplexer.NAME);
        try {
            places = new SocketTable();
            found = new int[FIRST_CAPACITY];
            connected = new boolean[FIRST_CAPACITY];
            block = memory.allocate(blockSize(FIRST_CAPACITY));
            structures = block.buffer();
            locateSets(FIRST_CAPACITY);
        } catch (Throwable e) {
            discard();
            throw e;
        }
    }

    private static int blockSize(int capacity) {
        return Math.addExact(SETS, Math.multiplyExact(3, WinsockFdSet.size(capacity + 1)));
    }

    private void locateSets(int capacity) {
        int size = WinsockFdSet.size(capacity + 1);
        read = SETS;
        write = read + size;
        exception = write + size;
    }

    private void grow(int capacity) {
        freeOutgrown();
        int[] results = new int[capacity];
        boolean[] peers = Arrays.copyOf(connected, capacity);
        MemoryBlock allocated = memory.allocate(blockSize(capacity));
        outgrown = block;
        block = allocated;
        structures = block.buffer();
        locateSets(capacity);
        found = results;
        connected = peers;
        freeOutgrown();
    }

    private void freeOutgrown() {
        if (outgrown != null) {
            outgrown.close();
            outgrown = null;
        }
    }

    @Override
    protected void requireFit(long descriptor, Handle handle) throws IOException {
        SocketsOnly.require(SelectDemultiplexer.NAME, handle);
    }

    @Override
    protected void ensureCapacity(int members) {
        if (members > found.length) {
            grow(Math.multiplyExact(2, found.length));
        }
    }

    @Override
    protected void write(Slot slot) {
        connected[slot.place] = false;
        places.put(slot.descriptor(), slot.place);
    }

    @Override
    protected void moved(Slot slot, int from) {
        connected[slot.place] = connected[from];
        if (places.find(slot.descriptor()) == from) {
            places.put(slot.descriptor(), slot.place);
        }
    }

    @Override
    protected void removed(Slot slot) {
        places.remove(slot.descriptor(), slot.place);
    }

    @Override
    protected int call(long timeoutNanos) {
        fill();
        long timeout = 0;
        if (timeoutNanos >= 0) {
            WinsockTimeval.set(structures, TIMEOUT, timeoutNanos);
            timeout = block.address() + TIMEOUT;
        }
        int result = windows.select(0, block.address() + read, block.address() + write, block.address() + exception,
                timeout);
        Arrays.fill(found, 0, members(), 0);
        wokenUp = false;
        if (result == -WindowsError.WSAENOTSOCK) {
            return findBadSockets();
        }
        return result <= 0 ? WindowsError.toErrno(result) : takeResults();
    }

    private void fill() {
        WinsockFdSet.clear(structures, read);
        WinsockFdSet.clear(structures, write);
        WinsockFdSet.clear(structures, exception);
        // A call with three empty sets would fail.
        WinsockFdSet.add(structures, read, wakeUpSocket);
        for (int place = 0; place < members(); place++) {
            int events = member(place).activeEvents();
            long socket = member(place).descriptor();
            if ((events & EventType.READ) != 0) {
                WinsockFdSet.add(structures, read, socket);
            }
            if ((events & EventType.WRITE) != 0) {
                WinsockFdSet.add(structures, write, socket);
            }
            if ((events & EventType.EXCEPTION) != 0 || events != 0 && !connected[place]) {
                WinsockFdSet.add(structures, exception, socket);
            }
        }
    }

    private int takeResults() {
        int ready = 0;
        for (int i = 0; i < WinsockFdSet.count(structures, read); i++) {
            long socket = WinsockFdSet.socket(structures, read, i);
            if (socket == wakeUpSocket) {
                wokenUp = true;
                ready++;
            } else {
                ready += found(socket, EventType.READ);
            }
        }
        for (int i = 0; i < WinsockFdSet.count(structures, write); i++) {
            ready += found(WinsockFdSet.socket(structures, write, i), EventType.WRITE);
        }
        for (int i = 0; i < WinsockFdSet.count(structures, exception); i++) {
            long socket = WinsockFdSet.socket(structures, exception, i);
            boolean hasPeer = getpeername(socket) >= 0;
            connected[places.find(socket)] = hasPeer;
            ready += found(socket, hasPeer ? EventType.EXCEPTION : EventType.IO);
        }
        return ready;
    }

    /** {@return 1 if these are the first events found for the socket, else 0} */
    private int found(long socket, int events) {
        int place = places.find(socket);
        int before = found[place];
        found[place] = before | events;
        return before == 0 ? 1 : 0;
    }

    private int getpeername(long socket) {
        structures.putInt(LENGTH, SockaddrStorage.SIZE);
        return windows.getpeername(socket, block.address() + ADDRESS, block.address() + LENGTH);
    }

    // Other code has closed a socket. The calls of other mechanisms report that socket, select fails altogether.
    private int findBadSockets() {
        int bad = 0;
        for (int place = 0; place < members(); place++) {
            if (getpeername(member(place).descriptor()) == -WindowsError.WSAENOTSOCK) {
                found[place] = EventType.IO;
                bad++;
            }
        }
        return bad;
    }

    @Override
    protected boolean wokenUp() {
        return wokenUp;
    }

    @Override
    protected int eventsAt(int place) {
        return found[place];
    }

    @Override
    protected void dispose() {
        freeOutgrown();
        if (block != null) {
            block.close();
        }
    }
}
