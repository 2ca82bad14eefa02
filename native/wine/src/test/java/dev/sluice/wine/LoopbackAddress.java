package dev.sluice.wine;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.SockaddrIn;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.WinsockConstants;

/** An IPv4 address of this machine in memory, followed by its length as the calls want it that fill both in. */
final class LoopbackAddress {

    /** Bytes that the address and its length take. */
    static final int ROOM = SockaddrStorage.SIZE + Integer.BYTES;

    private final MemoryBlock block;

    LoopbackAddress(MemoryBlock block, int port) {
        this.block = block;
        SockaddrStorage.family(block.buffer(), 0, WinsockConstants.AF_INET);
        block.buffer().put(SockaddrIn.PORT, (byte) (port >> 8)).put(SockaddrIn.PORT + 1, (byte) port);
        block.buffer().put(SockaddrIn.ADDR, new byte[] {127, 0, 0, 1});
        block.buffer().putInt(SockaddrStorage.SIZE, SockaddrIn.SIZE);
    }

    long address() {
        return block.address();
    }

    int length() {
        return block.buffer().getInt(SockaddrStorage.SIZE);
    }

    long lengthAddress() {
        return block.address() + SockaddrStorage.SIZE;
    }

    int port() {
        return Short.toUnsignedInt(Short.reverseBytes(block.buffer().getShort(SockaddrIn.PORT)));
    }
}
