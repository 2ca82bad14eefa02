package dev.sluice.calls.layout;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an interface whose methods are C functions: each has the function's name, and an {@code int} or {@code long}
 * where C has something of that width, whatever its type. Bindings link functions by these methods.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface CFunctions {

    /** {@return the headers that declare them, without brackets} */
    String[] headers();

    /** {@return the systems they exist on} */
    On on() default On.UNIX;
}
