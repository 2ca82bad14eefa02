/**
 * The operating system as Java sees it: one method per C function, in one interface per family of systems.
 *
 * <p>Everything here is deliberately thin. A descriptor is an {@code int}, a pointer a {@code long}, a result the C
 * result, or the negated error number where C would set {@code errno}. There are no exceptions, no allocation and no
 * policy in a call, so that a layer above, which has the context, can decide what an error means.
 *
 * <p>The calls are made by a {@link dev.sluice.calls.Binding}: over {@code java.lang.foreign} or over JNA. Bindings are
 * found by {@link java.util.ServiceLoader}, best first; nothing here names one. Because a binding is an interface, a
 * test can decorate it, to fail the n-th call, or to stand in for another system.
 *
 * <p>Only 64-bit systems are supported: a pointer, a {@code size_t} and a C {@code long} (outside Windows) are 8 bytes.
 */
package dev.sluice.calls;
