package dev.sluice.calls;

import dev.sluice.calls.layout.SockaddrIn;
import dev.sluice.calls.layout.SockaddrIn6;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SockaddrUn;
import dev.sluice.calls.layout.SocketConstants;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A socket address in memory, followed by its length as the calls want it that fill both in. */
final class Address {

    /** Bytes that the address and its length take. */
    static final int SIZE = SockaddrStorage.SIZE + Integer.BYTES;

    private final MemoryBlock block;

    private Address(MemoryBlock block, int length) {
        this.block = block;
        block.buffer().putInt(SockaddrStorage.SIZE, length);
    }

    static Address unknown(MemoryBlock block) {
        return new Address(block, SockaddrStorage.SIZE);
    }

    static Address inet4(MemoryBlock block, int port) {
        ByteBuffer memory = block.buffer();
        SockaddrStorage.family(memory, 0, SocketConstants.AF_INET);
        port(memory, SockaddrIn.PORT, port);
        memory.put(SockaddrIn.ADDR, new byte[] {127, 0, 0, 1});
        return new Address(block, SockaddrIn.SIZE);
    }

    static Address inet6(MemoryBlock block, int port) {
        ByteBuffer memory = block.buffer();
        SockaddrStorage.family(memory, 0, SocketConstants.AF_INET6);
        port(memory, SockaddrIn6.PORT, port);
        memory.put(SockaddrIn6.ADDR + 15, (byte) 1);
        return new Address(block, SockaddrIn6.SIZE);
    }

    static Address unix(MemoryBlock block, String path) {
        byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
        SockaddrStorage.family(block.buffer(), 0, SocketConstants.AF_UNIX);
        block.buffer().put(SockaddrUn.PATH, bytes);
        return new Address(block, SockaddrUn.PATH + bytes.length + 1);
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

    int family() {
        return SockaddrStorage.family(block.buffer(), 0);
    }

    /** {@return the address as the system writes it, without what lies behind it} */
    byte[] bytes() {
        byte[] bytes = new byte[length()];
        block.buffer().get(0, bytes);
        return bytes;
    }

    private static void port(ByteBuffer memory, int at, int port) {
        memory.put(at, (byte) (port >> 8)).put(at + 1, (byte) port);
    }
}
