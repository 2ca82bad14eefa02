package dev.sluice.samples.wal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.handle.LeakChecked;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a crash leaves of the last group, of which each sector may be there or not, and what no crash leaves. The group
 * is made as the log makes it, with records of many lengths.
 */
class TornLogTest extends LeakChecked {

    private static final int SECTOR = 512;
    private static final int BLOCK = SegmentHeader.BLOCK;
    private static final long LOG_ID = 4711;

    /** How the sectors from a boundary on differ from those that should have been written. */
    private enum Tear {
        /** The file ends there. */
        TRUNCATED,
        /** They have not been written. */
        MISSING,
        /** This one has not been written, the others have. */
        HOLE,
        /** They have other content. */
        GARBAGE
    }

    @TempDir
    private Path directory;
    private Path segment;

    private final List<String> durable = new ArrayList<>();
    private final List<String> last = new ArrayList<>();
    private byte[] content;
    private int lastGroup;
    private int behind;

    @BeforeEach
    void writeLog() {
        SegmentHeader header = new SegmentHeader(LOG_ID, 1, WrittenLog.SEGMENT, WrittenLog.GROUP);
        segment = directory.resolve(header.fileName());
        ByteBuffer bytes = ByteBuffer.allocate(WrittenLog.SEGMENT);
        header.put(bytes);
        // The header of the third is in two blocks.
        lastGroup = putGroup(bytes, BLOCK, durable, 100, 3_928, 1, 24);
        // Some end in the middle of a sector, one at the end of a block, and one is longer than a block.
        behind = putGroup(bytes, lastGroup, last, 17, 1_000, 2_000, BLOCK - 3_120, 30, 6_000, 480, 700);
        content = bytes.array();
    }

    /** Appends a group. Returns the position behind it. */
    private int putGroup(ByteBuffer segmentBytes, int at, List<String> records, int... lengths) {
        Group group = new Group(WrittenLog.GROUP, null);
        RecordFormat format = new RecordFormat(LOG_ID);
        for (int length : lengths) {
            long number = durable.size() + last.size() + 1L;
            String text = "x".repeat(length - 1) + number % 10;
            group.add(format, number, WrittenLog.record(text));
            records.add(text);
        }
        ByteBuffer sealed = group.seal();
        int end = at + sealed.remaining();
        segmentBytes.put(at, sealed, 0, sealed.remaining());
        return end;
    }

    private void tear(Tear how, int at) throws IOException {
        byte[] torn = content.clone();
        switch (how) {
            case TRUNCATED -> torn = Arrays.copyOf(torn, at);
            case MISSING -> Arrays.fill(torn, at, behind, (byte) 0);
            case HOLE -> Arrays.fill(torn, at, at + SECTOR, (byte) 0);
            case GARBAGE -> {
                byte[] garbage = new byte[behind - at];
                new Random(at).nextBytes(garbage);
                System.arraycopy(garbage, 0, torn, at, garbage.length);
            }
        }
        Files.write(segment, torn);
    }

    private List<String> all() {
        List<String> all = new ArrayList<>(durable);
        all.addAll(last);
        return all;
    }

    @Test
    void wholeLogIsRead() throws IOException {
        Files.write(segment, content);
        assertEquals(all(), WrittenLog.read(directory));
        LogEnd end = LogScan.scan(new LogDirectory(directory), (number, bytes) -> { });
        assertEquals(new SegmentHeader(LOG_ID, 1, WrittenLog.SEGMENT, WrittenLog.GROUP), end.header());
        assertEquals(all().size(), end.records());
        assertEquals(behind, end.nextGroup());
    }

    /** Nothing of the groups before is lost, and what is found of the last one is what was written. */
    @ParameterizedTest
    @EnumSource
    void tornTailEndsTheLog(Tear how) throws IOException {
        int before = -1;
        for (int at = lastGroup; at < behind; at += SECTOR) {
            tear(how, at);
            List<String> found = WrittenLog.read(directory);
            String where = how + " at " + at;
            assertTrue(found.size() >= durable.size() && found.size() <= all().size(), where);
            assertEquals(all().subList(0, found.size()), found, where);
            assertTrue(found.size() >= before, where);
            before = found.size();
        }
        assertTrue(before > durable.size(), "no record of the last group was ever found");
    }

    /** What is left of the torn group does not come back behind the records that take its place. */
    @ParameterizedTest
    @EnumSource
    void logContinuesBehindTheLastIntactRecord(Tear how) throws IOException {
        for (int at = lastGroup; at < behind; at += 3 * SECTOR) {
            tear(how, at);
            List<String> expected = new ArrayList<>();
            try (WriteAheadLog log = WriteAheadLog.open(directory, WrittenLog.settings(Mechanism.AUTO),
                    WrittenLog.into(expected))) {
                // Of the same length and content as the first of the group, so that the others would fit behind it.
                log.append(WrittenLog.record(last.get(0)));
            }
            expected.add(last.get(0));
            assertEquals(expected, WrittenLog.read(directory), how + " at " + at);
            assertEquals(WrittenLog.SEGMENT, Files.size(segment));
        }
    }

    /** A group is written when the one before is durable, so this is no crash. */
    @Test
    void damageBeforeTheLastGroupIsNoEnd() throws IOException {
        putGroup(ByteBuffer.wrap(content), behind, last, 3_000);
        content[lastGroup + RecordFormat.HEADER] ^= 1;
        Files.write(segment, content);
        IOException failure = assertThrows(IOException.class, () -> WrittenLog.read(directory));
        assertTrue(failure.getMessage().startsWith(segment + " is damaged: record 5 is missing, and there is record "
                + all().size() + " at " + behind), failure.getMessage());
        assertThrows(IOException.class, () -> WriteAheadLog.open(directory, WrittenLog.settings(Mechanism.AUTO),
                (number, record) -> { }));
    }

    @Test
    void missingSegmentIsNoEnd() throws IOException {
        try (WriteAheadLog log = WriteAheadLog.open(directory, WrittenLog.settings(Mechanism.AUTO),
                (number, record) -> { })) {
            for (int i = 0; i < 20; i++) {
                log.append(WrittenLog.record("x".repeat(6_000)));
            }
        }
        Path second = directory.resolve("0000000000000002.wal");
        Path third = directory.resolve("0000000000000003.wal");
        Files.delete(second);
        IOException failure = assertThrows(IOException.class, () -> WrittenLog.read(directory));
        assertTrue(failure.getMessage().startsWith(third + " is damaged: "), failure.getMessage());
        // A copy in its place has another name than its header.
        Files.copy(third, second);
        failure = assertThrows(IOException.class, () -> WrittenLog.read(directory));
        assertTrue(failure.getMessage().startsWith(second + " has "), failure.getMessage());
    }

    @Test
    void damagedHeaderIsNamed() throws IOException {
        Files.write(segment, content);
        try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
            file.seek(20);
            file.write(1);
        }
        IOException failure = assertThrows(IOException.class, () -> WrittenLog.read(directory));
        assertEquals(segment + " is not a segment of a log, or its header is damaged", failure.getMessage());
    }
}
