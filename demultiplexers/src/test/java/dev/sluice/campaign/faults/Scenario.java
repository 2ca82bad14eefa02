package dev.sluice.campaign.faults;

import dev.sluice.demultiplexer.Mechanism.Mode;

/**
 * Something that is done with the library, by one thread, the same way each time.
 *
 * @param name by which it can be played alone
 * @param mode of the demultiplexer it needs
 * @param play does it
 */
record Scenario(String name, Mode mode, Play play) {

    /** What is done. */
    @FunctionalInterface
    interface Play {

        /**
         * Does it.
         *
         * @param stage where; what is opened there is closed when the scenario is over
         * @throws Exception what the library has thrown
         */
        void on(Stage stage) throws Exception;
    }

    @Override
    public String toString() {
        return name;
    }
}
