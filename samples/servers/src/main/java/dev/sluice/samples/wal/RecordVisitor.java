package dev.sluice.samples.wal;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Gets the records of a log. */
@FunctionalInterface
public interface RecordVisitor {

    /**
     * Called for each record, in order.
     *
     * @param number the number of the record, from 1
     * @param bytes  its bytes, valid until this method returns
     * @throws IOException if the record is not as it should be
     */
    void record(long number, ByteBuffer bytes) throws IOException;
}
