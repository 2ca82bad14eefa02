package dev.sluice.samples.tour;

import java.io.IOException;

/** Something that can be measured for a while, again and again. */
interface MeasuredPeer extends AutoCloseable {

    /** {@return what it is called in the output} */
    String name();

    /**
     * Works for a while.
     *
     * @param nanos for how long, about
     * @return how many times a second it did what is measured
     * @throws IOException          if it fails
     * @throws InterruptedException if the thread is interrupted
     */
    double measure(long nanos) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
