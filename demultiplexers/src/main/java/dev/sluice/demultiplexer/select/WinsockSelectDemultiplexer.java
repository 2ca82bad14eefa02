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

/**
 * The handle set of Winsock's {@code select}: three arrays of sockets, written for each call, because the call leaves
 * only the ready ones in them. They grow with the set.
 *
 * <p>That an attempt to connect has failed shows only in the third set, where urgent data shows too. So every socket
 * that may be connecting is in it, and a socket that is found there is asked whether it has a peer.
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
    /** What it was before it grew, until that has been freed; otherwise null. */
    private MemoryBlock outgrown;
    private ByteBuffer structures;
    private int read;
    private int write;
    private int exception;
    /** What the last call has found, by place. */
    private int[] found;
    /** By place: whether it is known to have a peer, so that an attempt to connect can no longer fail. */
    private boolean[] connected;
    private boolean wokenUp;

    /** Opens it with an empty set. */
    public WinsockSelectDemultiplexer() throws IOException {
        super(SelectDemultiplexer.NAME);
        try {
            places = new SocketTable();
            connected = new boolean[FIRST_CAPACITY];
            allocate(FIRST_CAPACITY);
        } catch (Throwable e) {
            discard();
            throw e;
        }
    }

    private void allocate(int capacity) {
        int size = WinsockFdSet.size(capacity + 1);
        freeOutgrown();
        int[] results = new int[capacity];
        boolean[] peers = Arrays.copyOf(connected, capacity);
        MemoryBlock allocated = memory.allocate(Math.addExact(SETS, Math.multiplyExact(3, size)));
        outgrown = block;
        block = allocated;
        structures = block.buffer();
        read = SETS;
        write = read + size;
        exception = write + size;
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
            allocate(Math.multiplyExact(2, found.length));
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
    protected void left(Slot slot) {
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
            return onlyBad();
        }
        return result <= 0 ? WindowsError.toErrno(result) : look();
    }

    private void fill() {
        WinsockFdSet.clear(structures, read);
        WinsockFdSet.clear(structures, write);
        WinsockFdSet.clear(structures, exception);
        // With three empty sets the call would fail.
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

    private int look() {
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

    /** {@return 1 if nothing had been found for the socket before, else 0} */
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

    // A socket was closed behind its handle's back. The other mechanisms' calls would report just that one.
    private int onlyBad() {
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
