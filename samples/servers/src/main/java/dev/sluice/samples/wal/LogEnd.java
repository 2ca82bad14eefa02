package dev.sluice.samples.wal;

import java.nio.file.Path;

/**
 * Where a log ends.
 *
 * @param segment  the segment with the last record
 * @param header   its header
 * @param position the position in it behind the last record, in bytes
 * @param records  the number of the last record; 0 if there is none
 */
record LogEnd(Path segment, SegmentHeader header, int position, long records) {

    /** {@return the position of the next group} */
    int nextGroup() {
        return SegmentHeader.blockAt(position);
    }
}
