package dev.sluice.samples.io;

/**
 * Makes a filter of what goes out, whatever the protocol, that {@code --filters} chooses by its name; found by
 * {@link java.util.ServiceLoader}. Such filters see a message before those of {@link TransferFilterKind}.
 */
public interface TransferFilterProvider {

    /** {@return the name, in lower case and without a comma} */
    String name();

    /** {@return the filter for a configuration that has chosen it} */
    TransferFilter filter();
}
