package dev.sluice.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.testing.DescriptorLinks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** What all contracts share: the binding under test, and the proof that each test gives back what it took. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class BindingContract {

    /** An offset that no 32-bit number holds. */
    static final long FAR = 5L << 30;

    private static final long PATIENCE_NANOS = 10_000_000_000L;

    final Binding binding;
    final Memory memory;
    final Posix posix;

    private final List<Integer> descriptors = new ArrayList<>();
    private final List<MemoryBlock> blocks = new ArrayList<>();
    private DescriptorLinks descriptorsBefore;
    private long bytesBefore;

    BindingContract(Binding binding) {
        this.binding = binding;
        this.memory = binding.memory();
        this.posix = binding.posix();
    }

    @BeforeEach
    void takeStock() throws IOException {
        // JNA keeps a file of its own open from the first call on.
        assertFails(Errno.EBADF, posix.close(-1));
        bytesBefore = MemoryBlock.openBytes();
        descriptorsBefore = DescriptorLinks.now();
    }

    @AfterEach
    void giveBack() throws IOException {
        descriptors.forEach(fd -> ok(posix.close(fd)));
        blocks.forEach(MemoryBlock::close);
        DescriptorLinks after = DescriptorLinks.now();
        // libkqueue closes what a queue has inside in a thread of its own, soon after the queue itself is closed.
        long start = System.nanoTime();
        while (KqueueLibrary.file().isPresent() && !after.without(descriptorsBefore).isEmpty()
                && System.nanoTime() - start < PATIENCE_NANOS) {
            after = DescriptorLinks.now();
        }
        assertEquals("", after.without(descriptorsBefore), "descriptors leaked");
        assertEquals("", descriptorsBefore.without(after), "descriptors closed that are not the test's own");
        assertEquals(bytesBefore, MemoryBlock.openBytes(), "bytes of memory leaked");
    }

    /** {@return the descriptor that a call gave, to be closed after the test} */
    final int own(int fd) {
        descriptors.add(ok(fd));
        return fd;
    }

    final void close(int fd) {
        assertTrue(descriptors.remove(Integer.valueOf(fd)), "not open: " + fd);
        ok(posix.close(fd));
    }

    final int[] pair(LongToIntFunction call) {
        MemoryBlock two = block(2 * Integer.BYTES);
        ok(call.applyAsInt(two.address()));
        return new int[] {own(two.buffer().getInt(0)), own(two.buffer().getInt(Integer.BYTES))};
    }

    final int[] socketPair(int type) {
        return pair(two -> posix.socketpair(SocketConstants.AF_UNIX, type | SocketConstants.SOCK_CLOEXEC, 0, two));
    }

    final int[] pipe() {
        return pair(posix::pipe);
    }

    /** {@return memory to be freed after the test} */
    final MemoryBlock block(int size) {
        MemoryBlock block = memory.allocate(size);
        blocks.add(block);
        return block;
    }

    /** {@return the text in memory, with a zero at its end} */
    final MemoryBlock text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MemoryBlock block = block(bytes.length + 1);
        block.buffer().put(0, bytes);
        return block;
    }

    static String text(MemoryBlock block, int at, int length) {
        byte[] bytes = new byte[length];
        block.buffer().get(at, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    final Address unknownAddress() {
        return Address.unknown(block(Address.SIZE));
    }

    final Address localAddress(int fd) {
        Address address = unknownAddress();
        ok(posix.getsockname(fd, address.address(), address.lengthAddress()));
        return address;
    }

    static int ok(int result) {
        assertTrue(result >= 0, () -> Errno.describe(result));
        return result;
    }

    static long ok(long result) {
        assertTrue(result >= 0, () -> Errno.describe(result));
        return result;
    }

    static void assertFails(Errno error, long result) {
        assertEquals(-error.number(), result, () -> "expected " + error + ", but was "
                + (result < 0 ? Errno.describe(result) : "a success"));
    }
}
