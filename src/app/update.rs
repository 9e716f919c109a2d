//! The only changer of the model.
