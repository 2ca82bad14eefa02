package dev.sluice.samples.soak;

import java.io.IOException;
import java.util.Random;

/** What one good client does on one connection, from its beginning to its orderly end. */
@FunctionalInterface
interface Conversation {

    /**
     * Runs the conversation, and compares each reply with the expected one.
     *
     * @param random to choose with
     * @return the number of messages answered
     */
    int hold(Random random) throws IOException;
}
