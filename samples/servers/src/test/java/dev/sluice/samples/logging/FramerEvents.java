package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** Writes down what a framer reports, one line of text per call, one char per octet. */
class FramerEvents implements RecordSink {

    final List<String> seen = new ArrayList<>();

    /** {@return the events of the stream, received in chunks that end at the given ascending positions} */
    static List<String> of(int maxRecord, String stream, ChunkKind kind, int... cuts) {
        return of(maxRecord, stream, kind, SyslogFramer::end, cuts);
    }

    /** The same of a stream that is broken off at its end. */
    static List<String> ofBroken(int maxRecord, String stream, ChunkKind kind, int... cuts) {
        return of(maxRecord, stream, kind, SyslogFramer::cut, cuts);
    }

    private static List<String> of(int maxRecord, String stream, ChunkKind kind,
                                   BiConsumer<SyslogFramer, RecordSink> end, int... cuts) {
        FramerEvents events = new FramerEvents();
        SyslogFramer framer = new SyslogFramer(maxRecord);
        int from = 0;
        for (int cut : cuts) {
            append(framer, events, stream.substring(from, cut), kind);
            from = cut;
        }
        append(framer, events, stream.substring(from), kind);
        end.accept(framer, events);
        return events.seen;
    }

    private static void append(SyslogFramer framer, FramerEvents events, String octets, ChunkKind kind) {
        ByteBuffer chunk = kind.of(octets.getBytes(ISO_8859_1));
        framer.append(chunk, events);
        if (chunk.hasRemaining()) {
            throw new AssertionError(chunk.remaining() + " octets not consumed");
        }
    }

    @Override
    public void record(byte[] array, int offset, int length) {
        seen.add("record " + new String(array, offset, length, ISO_8859_1));
    }

    @Override
    public void oversized(long length) {
        seen.add("oversized " + length);
    }

    @Override
    public void truncated(long announced, long received) {
        seen.add("truncated " + received + " of " + announced);
    }

    @Override
    public void framingError(String reason) {
        seen.add("error " + reason);
    }
}
