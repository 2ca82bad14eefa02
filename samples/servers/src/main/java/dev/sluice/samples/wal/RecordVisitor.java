package dev.sluice.samples.wal;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Gets the records of a log, in the thread that reads it. */
@FunctionalInterface
public interface RecordVisitor {

    /**
     * Called for each record, in order.
     *
     * @param number the number of the record, from 1
     * @param bytes  its bytes, read-only and valid until this method returns
     * @throws IOException if the record is not as it should be; no further record is read then
     */
    void record(long number, ByteBuffer bytes) throws IOException;
}
