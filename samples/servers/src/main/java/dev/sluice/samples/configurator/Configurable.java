package dev.sluice.samples.configurator;

import java.util.List;

/** A server whose configuration can be reloaded while it runs. For one thread. */
public interface Configurable {

    /**
     * Reloads the configuration and applies it, all of it or nothing.
     *
     * @return the configuration that is active from now on, in a line
     * @throws ConfigurationException if something is wrong; then nothing has changed
     */
    String reload() throws ConfigurationException;

    /** {@return the active configuration, a line for each figure} */
    List<String> status();

    /**
     * Does what a client of the control address asks for.
     *
     * @param verb     what to do
     * @param argument what with; empty if there is none
     * @return what has come of it, in lines; null if there is no such verb
     * @throws ConfigurationException if something is wrong; then nothing has changed
     */
    default List<String> command(String verb, String argument) throws ConfigurationException {
        return null;
    }

    /** {@return the verbs of {@link #command}} */
    default List<String> verbs() {
        return List.of();
    }
}
