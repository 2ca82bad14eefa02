package dev.sluice.samples.wal;

import static dev.sluice.samples.wal.SegmentHeader.BLOCK;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** Reads a log from its first record to its end. */
final class LogScan {

    private final RecordVisitor visitor;
    private RecordFormat format;
    /** The number of the last record. */
    private long last;
    private LogEnd end;

    private LogScan(RecordVisitor visitor) {
        this.visitor = visitor;
    }

    /**
     * Reads a log.
     *
     * @param directory the directory of the log
     * @param visitor   gets the records
     * @return the end of the log; null if there is no segment
     * @throws IOException if a file cannot be read, the log is damaged before its end, or the visitor throws it
     */
    static LogEnd scan(LogDirectory directory, RecordVisitor visitor) throws IOException {
        List<Path> segments = directory.segments();
        LogScan scan = new LogScan(visitor);
        ByteBuffer bytes = ByteBuffer.allocateDirect(0);
        for (Path path : segments) {
            bytes = directory.read(path, bytes);
            scan.read(path, bytes);
        }
        return scan.end;
    }

    private void read(Path path, ByteBuffer bytes) throws IOException {
        SegmentHeader header = SegmentHeader.read(bytes, path);
        if (end == null) {
            format = new RecordFormat(header.logId());
        } else if (header.logId() != end.header().logId()) {
            throw new IOException(path + " belongs to another log than " + end.segment());
        }
        int behind = readRecords(bytes);
        requireEnd(path, bytes, behind);
        if (end == null || behind > BLOCK) {
            end = new LogEnd(path, header, behind, last);
        }
    }

    /** Reads the records of a segment. Returns the position behind the last one. */
    private int readRecords(ByteBuffer bytes) throws IOException {
        int behind = BLOCK;
        int at = BLOCK;
        while (true) {
            if (at % BLOCK != 0 && isPadding(bytes, at)) {
                at = SegmentHeader.blockAt(at);
            }
            if (!format.isRecord(bytes, at) || RecordFormat.number(bytes, at) != last + 1) {
                return behind;
            }
            last++;
            visitor.record(last, RecordFormat.bytes(bytes, at));
            at += RecordFormat.size(RecordFormat.length(bytes, at));
            behind = at;
        }
    }

    /** {@return whether a group ends there, and not at the end of the file} A header may be in two blocks. */
    private static boolean isPadding(ByteBuffer bytes, int at) {
        return at <= bytes.limit() - RecordFormat.HEADER && RecordFormat.length(bytes, at) == 0;
    }

    /**
     * Checks that what follows can be the rest of the last group, which a crash has torn: no group is written before
     * the one that precedes it is durable.
     */
    private void requireEnd(Path path, ByteBuffer bytes, int behind) throws IOException {
        for (int at = SegmentHeader.blockAt(behind); at < bytes.limit(); at += BLOCK) {
            if (format.isRecord(bytes, at) && RecordFormat.firstOfGroup(bytes, at) > last + 1) {
                throw new IOException(path + " is damaged: record " + (last + 1) + " is missing, and there is record "
                        + RecordFormat.number(bytes, at) + " at " + at);
            }
        }
    }
}
