package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.layout.FileConstants;
import dev.sluice.system.Scratch;
import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Gathering sends and scattering receives. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class StreamVectorTest extends LeakChecked {

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void mixedBuffersKeepTheirOrder(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        ByteBuffer[] sources = {
            Bytes.heap("not this one"),
            Bytes.heap("heap "),
            ByteBuffer.allocateDirect(0),
            Bytes.direct(Bytes.of("direct ")),
            ByteBuffer.allocate(0),
            BufferKind.READ_ONLY_HEAP.of(Bytes.of("read-only ")),
            BufferKind.DIRECT_SLICE.of(Bytes.of("slice")),
            Bytes.heap("nor this"),
        };
        String text = "heap direct read-only slice";
        assertEquals(text.length(), pair.client().send(sources, 1, 6));
        for (int i = 1; i <= 6; i++) {
            assertEquals(0, sources[i].remaining(), "buffer " + i);
        }
        assertEquals(0, sources[0].position());
        assertEquals(0, sources[7].position());

        BufferKind[] kinds = {BufferKind.DIRECT_SLICE, BufferKind.HEAP, BufferKind.HEAP, BufferKind.DIRECT,
            BufferKind.HEAP_SLICE, BufferKind.DIRECT};
        ByteBuffer[] destinations = {kinds[0].empty(3), kinds[1].empty(0), kinds[2].empty(6), kinds[3].empty(10),
            kinds[4].empty(100), kinds[5].empty(5)};
        Patience.awaitReadable(pair.server());
        assertEquals(text.length(), pair.server().receive(destinations, 0, destinations.length));
        StringBuilder received = new StringBuilder();
        int[] lengths = new int[destinations.length];
        for (int i = 0; i < destinations.length; i++) {
            byte[] part = kinds[i].received(destinations[i]);
            lengths[i] = part.length;
            received.append(new String(part));
        }
        assertEquals(text, received.toString());
        assertArrayEquals(new int[] {3, 0, 6, 10, 8, 0}, lengths);
    }

    @ParameterizedTest
    @EnumSource
    void moreBuffersThanTheSystemTakesGoInSeveralCalls(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        byte[] content = Bytes.random(2 * FileConstants.IOV_MAX + 500);
        ByteBuffer[] sources = ones(Bytes.direct(content), content.length);
        ByteBuffer received = ByteBuffer.allocateDirect(content.length);
        ByteBuffer[] destinations = ones(received, content.length);

        assertEquals(FileConstants.IOV_MAX, pair.client().send(sources, 0, sources.length));
        assertEquals(FileConstants.IOV_MAX, pair.client().send(sources, 0, sources.length));
        assertEquals(500, pair.client().send(sources, 0, sources.length));
        assertEquals(0, pair.client().send(sources, 0, sources.length));
        int sum = 0;
        while (sum < content.length) {
            Patience.awaitReadable(pair.server());
            long count = pair.server().receive(destinations, 0, destinations.length);
            assertTrue(count <= FileConstants.IOV_MAX, () -> "received " + count);
            sum += (int) count;
        }
        assertArrayEquals(content, Bytes.before(received.position(content.length)));
    }

    private static ByteBuffer[] ones(ByteBuffer whole, int count) {
        ByteBuffer[] views = new ByteBuffer[count];
        Arrays.setAll(views, i -> whole.slice(i, 1));
        return views;
    }

    @ParameterizedTest
    @EnumSource
    void moreHeapBytesThanOneCallCopiesGoInSeveralCalls(Transport transport) throws Exception {
        StreamPair pair = own(transport.connect(directory));
        byte[] content = Bytes.random(3 * 50_000 + 10);
        ByteBuffer[] sources = {
            ByteBuffer.wrap(content, 0, 50_000).slice(),
            Bytes.direct(Arrays.copyOfRange(content, 50_000, 50_010)),
            ByteBuffer.wrap(content, 50_010, 50_000).slice(),
            ByteBuffer.wrap(content, 100_010, 50_000).slice(),
        };
        ByteBuffer[] destinations = {ByteBuffer.allocate(70_000), ByteBuffer.allocateDirect(7),
            ByteBuffer.allocate(80_003)};
        long sent = 0;
        long received = 0;
        while (received < content.length) {
            long out = pair.client().send(sources, 0, sources.length);
            assertTrue(out <= Scratch.COPY_SIZE + 10, () -> "sent " + out);
            Patience.awaitReadable(pair.server());
            sent += out;
            received += pair.server().receive(destinations, 0, destinations.length);
        }
        assertEquals(content.length, sent);
        ByteBuffer all = ByteBuffer.allocate(content.length);
        for (ByteBuffer destination : destinations) {
            all.put(destination.flip());
        }
        assertArrayEquals(content, all.array());
    }

    @Test
    void sumOfBuffersMayBeMoreThanAnIntHolds() throws Exception {
        StreamPair pair = own(Transport.UNIX.connect(directory));
        // 2^32 bytes in sum, which is 0 as an int.
        ByteBuffer whole = ByteBuffer.allocateDirect(4 * 1024 * 1024);
        ByteBuffer[] views = new ByteBuffer[1024];
        Arrays.setAll(views, i -> whole.duplicate());

        long sent = pair.client().send(views, 0, views.length);
        assertTrue(sent > 0, () -> "sent " + sent);
        assertEquals(sent, Arrays.stream(views).mapToLong(ByteBuffer::position).sum());
        StreamPair.drain(pair.server(), sent);

        pair.server().send(Bytes.heap("answer"));
        Arrays.stream(views).forEach(ByteBuffer::clear);
        Patience.awaitReadable(pair.client());
        assertEquals(6, pair.client().receive(views, 0, views.length));
        assertEquals("answer", Bytes.text(views[0]));
    }

    @Test
    void rangeOutsideOfTheArrayIsRefused() throws Exception {
        StreamPair pair = own(Transport.UNIX.connect(directory));
        ByteBuffer[] one = {ByteBuffer.allocate(1)};
        for (int[] range : new int[][] {{0, 2}, {-1, 1}, {1, 1}, {0, -1}}) {
            assertThrows(IndexOutOfBoundsException.class, () -> pair.client().send(one, range[0], range[1]));
            assertThrows(IndexOutOfBoundsException.class, () -> pair.client().receive(one, range[0], range[1]));
        }
    }

    @Test
    void sameBufferTwiceIsSentOnlyOnceMore() throws Exception {
        StreamPair pair = own(Transport.UNIX.connect(directory));
        ByteBuffer twice = Bytes.direct(Bytes.of("ab"));
        assertEquals(4, pair.client().send(new ByteBuffer[] {twice, twice}, 0, 2));
        assertEquals(0, twice.remaining());
    }
}
