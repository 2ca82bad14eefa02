package dev.sluice.calls.layout;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a method that calls what its first parameter points at; the others are the function's own. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface CPointer {

    /** {@return the pointer's type in C} */
    String value();
}
