package dev.sluice.calls;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One way of calling the operating system from Java: the calls of each family, and the memory that they can access. The
 * calls are interfaces, so that a test can decorate them. Stateless and safe for use by any thread.
 */
public final class Binding {

    private final String name;
    private final Platform.Os os;
    private final Memory memory;
    private final @Nullable Posix posix;
    private final @Nullable Linux linux;
    private final @Nullable Bsd bsd;
    private final @Nullable Windows windows;

    /**
     * Creates a binding from its parts.
     *
     * @param name    the name by which {@code -Dsluice.native} selects it, such as {@code ffm}
     * @param os      the system of the calls: the one that the process runs on, except in a test that replaces the
     *                calls by those of another system
     * @param memory  the memory that the calls can access
     * @param posix   the calls that all Unix systems have; null on a system that has none of them
     * @param linux   the calls that only Linux has; null on other systems
     * @param bsd     the calls of macOS and the BSDs; null on a system that has none of them
     * @param windows the calls of Windows; null on other systems
     */
    public Binding(String name, Platform.Os os, Memory memory, @Nullable Posix posix, @Nullable Linux linux,
            @Nullable Bsd bsd, @Nullable Windows windows) {
        this.name = Objects.requireNonNull(name, "name");
        this.os = Objects.requireNonNull(os, "os");
        this.memory = Objects.requireNonNull(memory, "memory");
        this.posix = posix;
        this.linux = linux;
        this.bsd = bsd;
        this.windows = windows;
    }

    /** Decorates the calls of a binding, for tests. */
    @FunctionalInterface
    public interface Decorator {

        /**
         * Returns the decorated calls of a family.
         *
         * @param family the interface, such as {@link Posix}
         * @param calls the calls to decorate
         * @param <T>    the interface
         * @return the decorated calls
         */
        <T> T decorate(Class<T> family, T calls);
    }

    /**
     * Creates a binding whose calls are decorated.
     *
     * @param newName   the name of the new binding
     * @param decorator called for each family that this binding has
     * @return the new binding, with the memory of this one
     */
    public Binding decorated(String newName, Decorator decorator) {
        return new Binding(newName, os, memory, decorate(decorator, Posix.class, posix),
                decorate(decorator, Linux.class, linux), decorate(decorator, Bsd.class, bsd),
                decorate(decorator, Windows.class, windows));
    }

    private static <T> @Nullable T decorate(Decorator decorator, Class<T> family, @Nullable T calls) {
        return calls == null ? null : decorator.decorate(family, calls);
    }

    /** {@return the binding's name, such as {@code ffm}} */
    public String name() {
        return name;
    }

    /** {@return the system of the calls} */
    public Platform.Os os() {
        return os;
    }

    /** {@return the memory that calls of this binding can access} */
    public Memory memory() {
        return memory;
    }

    /**
     * {@return the calls that all Unix systems have}
     *
     * @throws UnsupportedOperationException on a system that has none of them
     */
    public Posix posix() {
        return present(posix, "POSIX");
    }

    /**
     * {@return the calls that only Linux has}
     *
     * @throws UnsupportedOperationException on any other system
     */
    public Linux linux() {
        return present(linux, "Linux");
    }

    /**
     * {@return the calls of macOS and the BSDs}
     *
     * @throws UnsupportedOperationException on a system that has none of them
     */
    public Bsd bsd() {
        return present(bsd, "BSD");
    }

    /**
     * {@return the calls of Windows}
     *
     * @throws UnsupportedOperationException on any other system
     */
    public Windows windows() {
        return present(windows, "Windows");
    }

    private <T> T present(@Nullable T calls, String family) {
        if (calls == null) {
            throw new UnsupportedOperationException(os.title() + " has no " + family + " calls");
        }
        return calls;
    }

    @Override
    public String toString() {
        return name;
    }
}
