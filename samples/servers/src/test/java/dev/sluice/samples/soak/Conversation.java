package dev.sluice.samples.soak;

import java.io.IOException;
import java.util.Random;

/** What one good client does on one connection, from its beginning to its orderly end. */
@FunctionalInterface
interface Conversation {

    /**
     * Has it, and compares each reply with what it must be.
     *
     * @param random to choose with
     * @return how many messages were answered
     */
    int hold(Random random) throws IOException;
}
