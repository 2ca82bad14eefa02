package dev.sluice.calls;

/**
 * Provides a {@link Binding} to {@link java.util.ServiceLoader}. A provider must load on every supported Java, even if
 * its binding does not, so that it can report why the binding is not usable.
 */
public interface BindingProvider {

    /** {@return the binding's name, such as {@code ffm}} */
    String name();

    /** {@return the rank among the usable bindings; the highest is chosen by default} */
    int priority();

    /** {@return whether the binding is usable in this process and, if not, why} */
    Availability availability();

    /**
     * Loads the binding. Called at most once, and only if {@link #availability()} is usable.
     *
     * @return the binding
     */
    Binding load();
}
