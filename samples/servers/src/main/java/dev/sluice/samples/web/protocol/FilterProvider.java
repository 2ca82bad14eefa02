package dev.sluice.samples.web.protocol;

/**
 * Makes a filter that {@code --filters} chooses by its name; found by {@link java.util.ServiceLoader}, at the start and
 * at each reload.
 */
public interface FilterProvider {

    /** {@return the name, in lower case and without a comma} */
    String name();

    /** {@return where it stands among the filters whose order is fixed} Requests pass all of these filters first. */
    FilterPosition position();

    /** {@return the filter for a configuration that has chosen it} It is no {@link Filter#isSelection selection}. */
    Filter filter();
}
