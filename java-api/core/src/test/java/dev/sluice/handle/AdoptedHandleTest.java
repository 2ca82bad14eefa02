package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Descriptors that other code has opened. */
@Tag(Depth.IN_QUICK)
class AdoptedHandleTest extends LeakChecked {

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void isMadeNonBlockingAndClosedWithItsHandle() throws Exception {
        Binding binding = Bindings.current();
        int[] descriptors = blockingPipe(binding);
        assertFalse(isNonBlocking(binding, descriptors[0]));
        Handle in = own(Descriptors.adopt(descriptors[0], "foreign source"));
        Handle out = own(Descriptors.adopt(descriptors[1], "foreign sink"));
        assertTrue(isNonBlocking(binding, descriptors[0]));
        assertTrue(isNonBlocking(binding, descriptors[1]));
        assertEquals("foreign source (fd " + descriptors[0] + ")", in.toString());

        Pipe pipe = own(new Pipe(in, out));
        ByteBuffer room = ByteBuffer.allocate(10);
        assertEquals(0, pipe.receive(room));
        assertEquals(5, pipe.send(Bytes.heap("hello")));
        assertEquals(5, pipe.receive(room));
        assertEquals("hello", Bytes.text(room));
        out.close();
        assertFalse(out.isOpen());
        assertEquals(SocketStream.END_OF_STREAM, pipe.receive(room));
    }

    private static int[] blockingPipe(Binding binding) {
        try (MemoryBlock block = binding.memory().allocate(2 * Integer.BYTES)) {
            assertEquals(0, binding.posix().pipe(block.address()));
            return new int[] {block.buffer().getInt(0), block.buffer().getInt(Integer.BYTES)};
        }
    }

    private static boolean isNonBlocking(Binding binding, int descriptor) {
        return (binding.posix().fcntl(descriptor, FileConstants.F_GETFL, 0) & FileConstants.O_NONBLOCK) != 0;
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void whatIsNoDescriptorIsRefused() {
        IllegalArgumentException negative =
                assertThrows(IllegalArgumentException.class, () -> Descriptors.adopt(-1, "nothing"));
        assertEquals("descriptor: -1", negative.getMessage());
        assertThrows(NullPointerException.class, () -> Descriptors.adopt(0, null));
        SystemCallException invalid =
                assertThrows(SystemCallException.class, () -> Descriptors.adopt(Integer.MAX_VALUE, "nothing"));
        assertEquals("fcntl nothing (fd 2147483647): EBADF (bad file descriptor)", invalid.getMessage());
        assertEquals("EBADF", invalid.errorName());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theUpperHalfOfANumberIsNotCutOff() {
        Binding binding = Bindings.current();
        int[] descriptors = blockingPipe(binding);
        try {
            for (long upper : new long[] {1L << 32, 1L << 62}) {
                SystemCallException invalid = assertThrows(SystemCallException.class,
                        () -> Descriptors.adopt(upper + descriptors[0], "nothing"));
                assertEquals("EBADF", invalid.errorName());
            }
            assertFalse(isNonBlocking(binding, descriptors[0]));
        } finally {
            binding.posix().close(descriptors[0]);
            binding.posix().close(descriptors[1]);
        }
    }
}
